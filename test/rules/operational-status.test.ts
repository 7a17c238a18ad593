import { describe, expect, test } from 'vitest';
import { type CampaignStatus, campaignStatuses } from '../../store/campaigns.ts';
import { type MediaBuyStatus, mediaBuyStatuses } from '../../store/media-buys.ts';
import {
  campaignOperationalStatus,
  type OperationalStatus,
  operationalStatus,
} from '../../tools/domain/buying/standing/operational-status.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const expected: Readonly<Record<MediaBuyStatus, OperationalStatus>> = {
  DRAFT: 'not_submitted',
  PENDING_APPROVAL: 'pending_start',
  INPUT_REQUIRED: 'attention_required',
  ACTIVE: 'active',
  PAUSED: 'paused',
  COMPLETED: 'completed',
  CANCELED: 'completed',
  FAILED: 'attention_required',
  REJECTED: 'attention_required',
  ARCHIVED: 'completed',
};
const sellersWords = ['pending_creatives', 'pending_start', 'active', 'paused', 'submitted', 'odd', null];

/** The most pressing first. */
const order: readonly (readonly [OperationalStatus, ReturnType<typeof mediaBuyRow>])[] = [
  ['attention_required', mediaBuyRow({ status: 'FAILED' })],
  ['pending_creatives', mediaBuyRow({ status: 'ACTIVE', adcp_status: 'pending_creatives' })],
  ['not_submitted', mediaBuyRow({ status: 'DRAFT' })],
  ['pending_start', mediaBuyRow({ status: 'PENDING_APPROVAL' })],
  ['active', mediaBuyRow({ status: 'ACTIVE', adcp_status: 'active' })],
  ['paused', mediaBuyRow({ status: 'PAUSED' })],
  ['completed', mediaBuyRow({ status: 'COMPLETED' })],
];

describe('the operational status', () => {
  test.each(mediaBuyStatuses.flatMap((status) => sellersWords.map((adcp) => ({ status, adcp }))))(
    'of a buy that is $status here and $adcp at the seller',
    ({ status, adcp }) => {
      const waiting = adcp === 'pending_creatives' || adcp === 'pending_start';

      const word = operationalStatus(mediaBuyRow({ status, adcp_status: adcp }));

      expect(word).toBe(status === 'ACTIVE' && waiting ? adcp : expected[status]);
    },
  );

  test.each([
    ['no_creatives_attached', 'pending_creatives'],
    ['scheduled_not_started', 'pending_start'],
    [null, 'active'],
  ] as const)('of a buy that waits for %s stays %s with a word that nobody knows', (pending_reason, word) => {
    expect(operationalStatus(mediaBuyRow({ adcp_status: 'odd', pending_reason }))).toBe(word);
  });

  test.each(order.flatMap(([word], index) => order.slice(index).map(([other]) => ({ word, other }))))(
    'of a campaign with a buy that is $word and one that is $other is as pressing as $word, in either order',
    ({ word, other }) => {
      const states = [word, other]
        .flatMap((wanted) => order.find(([known]) => known === wanted)?.[1] ?? [])
        .map((buy) => operationalStatus(buy));

      // A campaign has no word of its own for what is not submitted (contract: GetAdcpStatusOutput).
      const said = word === 'not_submitted' ? 'draft' : word;
      expect(campaignOperationalStatus({ status: 'ACTIVE' }, states)).toBe(said);
      expect(campaignOperationalStatus({ status: 'ACTIVE' }, states.toReversed())).toBe(said);
    },
  );

  test('of a buy that was put away is that it was not submitted only where no seller had it', () => {
    const archived = { status: 'ARCHIVED', adcp_status: null } as const;

    const [never, had] = [null, 'far_1'].map((id) => mediaBuyRow({ ...archived, adcp_media_buy_id: id }));

    expect(never && operationalStatus(never)).toBe('not_submitted');
    expect(had && operationalStatus(had)).toBe('completed');
  });

  test.each(['COMPLETED', 'CANCELED', 'ARCHIVED'] as const)(
    'of a %s campaign of which nothing was submitted is no draft',
    (status) => {
      const states = [operationalStatus(mediaBuyRow({ status: 'ARCHIVED', adcp_media_buy_id: null }))];

      expect(campaignOperationalStatus({ status }, states)).toBe('completed');
    },
  );

  test.each(campaignStatuses)('of a %s campaign without buys', (status: CampaignStatus) => {
    expect(campaignOperationalStatus({ status }, [])).toBe(status === 'DRAFT' ? 'draft' : 'no_media_buys');
  });
});
