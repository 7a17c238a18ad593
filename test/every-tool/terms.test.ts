import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, capabilityOf, changes, firstSteps } from '../journeys/journey.ts';
import type { Step } from '../journeys/step.ts';
import { type Moment, newWalkers, walk } from '../journeys/walk.ts';
import { auditOf } from '../support/callers/answers.ts';
import { withoutTerms } from '../support/callers/without-terms.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { endOf, possessions, Seen } from './support.ts';

interface Note {
  readonly end: string;
  readonly details: unknown;
  readonly isUnchanged: boolean;
  /** The code and the object of the newest entry in the log. */
  readonly logged: readonly unknown[];
  /** The advertiser that the entry is of, and whose entry it should be. */
  readonly advertiser: { readonly told: unknown; readonly expected: unknown };
  readonly subject: string | null;
  readonly organizationId: number;
}

/** What may be called before the terms are accepted: accepting them, and going elsewhere. */
function isBefore(step: Step): boolean {
  const { access } = capabilityOf(step);
  return access.kind === 'permission' && access.beforeTerms === true;
}

/** Of a change of what an advertiser has. One that is made has no id before. */
function advertiserOf({ step, made }: Moment): number | null {
  const { ofAdvertiser } = step.logged ?? {};
  return ofAdvertiser && step.tool !== 'advertiser_create' ? Number(made('advertiserId')) : null;
}

describe('without accepted terms', () => {
  const seen = new Seen<Note>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    const walkers = await newWalkers(server);
    const before = async (moment: Moment): Promise<void> => {
      const { step, person, subject } = moment;
      // What is there to be called before: it would accept them.
      if (isBefore(step)) return;
      const had = changes(step) ? await possessions(server, walkers) : '';
      const outcome = await withoutTerms(server, person, () => moment.ask());
      const [entry] = await auditOf(server, person, step.tool);
      seen.add(step.tool, {
        end: endOf(outcome),
        details: outcome.content['details'],
        isUnchanged: !changes(step) || (await possessions(server, walkers)) === had,
        logged: [entry?.error_code, entry?.resource_id],
        advertiser: { told: entry?.advertiser_id, expected: advertiserOf(moment) },
        subject,
        organizationId: person.organizationId,
      });
    };
    await walk(server, { walkers, before, onlyMakes: true });
  }, 120_000);
  afterAll(() => server.stop());

  test('keep few capabilities open', () => {
    expect(
      firstSteps
        .filter(isBefore)
        .map(({ tool }) => tool)
        .sort(),
    ).toEqual(['accept_tos', 'account_switch']);
  });

  test.each(byTool(firstSteps.filter((step) => changes(step) && !isBefore(step))))(
    '%s is refused, logged, and changes nothing',
    (tool) => {
      expect(seen.of(tool).length).toBeGreaterThan(0);
      for (const note of seen.of(tool)) {
        expect(note).toMatchObject({
          end: '403 TOS_ACCEPTANCE_REQUIRED',
          details: { organizationId: note.organizationId, tosVersion: '1' },
          isUnchanged: true,
          logged: ['TOS_ACCEPTANCE_REQUIRED', note.subject],
        });
      }
    },
  );

  test.each(
    byTool(
      firstSteps.filter((step) => changes(step) && step.logged?.ofAdvertiser === true && !isBefore(step)),
    ),
  )('%s is logged under the advertiser that it is about', (tool) => {
    for (const { advertiser } of seen.of(tool)) expect(advertiser.told).toBe(advertiser.expected);
  });

  test.each(byTool(firstSteps.filter((step) => !changes(step))))(
    '%s passes, for it changes nothing',
    (tool) => {
      expect(seen.of(tool)[0]).toMatchObject({ end: 'passed' });
    },
  );
});
