import { describe, expect, test } from 'vitest';
import { attentionOf } from '../../tools/buyer/advertisers/attention.ts';

const nothing = { inCanceled: 0, inPaused: 0, afterEnd: 0, unknown: 0 };
const standing = { campaigns: 2, drafts: 0, buys: {}, asked: 0, runningOn: nothing, waitingSpends: 0 };

describe('what an advertiser needs', () => {
  test.each([
    ['nothing where all runs', {}, { flags: [], nextAction: undefined, waitingOnYou: 0 }],
    [
      'a campaign where there is none',
      { campaigns: 0 },
      { flags: [], nextAction: 'Create a campaign', waitingOnYou: 0 },
    ],
    [
      'its draft gone on with',
      { drafts: 1 },
      { flags: [], nextAction: 'Go on with the draft', waitingOnYou: 0 },
    ],
    [
      'patience while a seller decides',
      { buys: { PENDING_APPROVAL: 3 } },
      {
        flags: [{ label: '3 with a seller for approval', tone: 'info' }],
        nextAction: undefined,
        waitingOnYou: 0,
      },
    ],
    [
      'another person where a spend is above the limit',
      { waitingSpends: 1, drafts: 1 },
      {
        flags: [{ label: '1 above the spend limit', tone: 'needsAction' }],
        nextAction: 'Have another person allow the spend',
        waitingOnYou: 1,
      },
    ],
    [
      'what runs on though it was stopped before all else',
      { runningOn: { inCanceled: 2, inPaused: 1, afterEnd: 0, unknown: 1 }, buys: { FAILED: 1 } },
      {
        flags: [
          { label: '2 running on in cancelled campaigns', tone: 'critical' },
          {
            label: '1 in cancelled campaigns of which nobody knows whether their sellers took them',
            tone: 'critical',
          },
          { label: '1 running on in paused campaigns', tone: 'critical' },
          { label: '1 failed or rejected', tone: 'critical' },
        ],
        nextAction: 'Call campaign_cancel again for what still runs in cancelled campaigns',
        waitingOnYou: 5,
      },
    ],
    [
      'what failed first of all, then what is waited for',
      { buys: { FAILED: 1, REJECTED: 1, INPUT_REQUIRED: 1, PENDING_APPROVAL: 1, ACTIVE: 9 } },
      {
        flags: [
          { label: '2 failed or rejected', tone: 'critical' },
          { label: '1 asked for input by a seller', tone: 'needsAction' },
          { label: '1 with a seller for approval', tone: 'info' },
        ],
        nextAction: 'Give what failed other products, or execute its campaign again',
        waitingOnYou: 3,
      },
    ],
  ])('is %s', (_, changes, expected) => {
    expect(attentionOf({ ...standing, ...changes })).toEqual(expected);
  });
});
