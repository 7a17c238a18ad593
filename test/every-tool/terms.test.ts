import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byTool, changes, firstSteps } from '../journeys/journey.ts';
import { type Moment, newWalkers, walk } from '../journeys/walk.ts';
import { auditOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { endOf, possessions, Seen } from './support.ts';

interface Note {
  readonly end: string;
  readonly details: unknown;
  readonly isUnchanged: boolean;
  /** The code and the object of the newest entry in the log. */
  readonly logged: readonly unknown[];
  readonly subject: string | null;
  readonly organizationId: number;
}

describe('without accepted terms', () => {
  const seen = new Seen<Note>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    const walkers = await newWalkers(server);
    const before = async (moment: Moment): Promise<void> => {
      const { step, person, subject } = moment;
      const had = changes(step) ? await possessions(server, walkers) : '';
      const outcome = await withoutTerms(person, () => moment.ask());
      const [entry] = await auditOf(server, person, step.tool);
      seen.add(step.tool, {
        end: endOf(outcome),
        details: outcome.content['details'],
        isUnchanged: !changes(step) || (await possessions(server, walkers)) === had,
        logged: [entry?.error_code, entry?.resource_id],
        subject,
        organizationId: person.organizationId,
      });
    };
    await walk(server, { walkers, before });
  }, 120_000);
  afterAll(() => server.stop());

  /** As if the organization had never accepted the terms that it did accept. */
  async function withoutTerms<T>({ organizationId }: Person, work: () => Promise<T>): Promise<T> {
    const { db } = server.store;
    const accepted = await db
      .deleteFrom('terms_acceptances')
      .where('organization_id', '=', organizationId)
      .returningAll()
      .execute();
    try {
      return await work();
    } finally {
      await db.insertInto('terms_acceptances').values(accepted).execute();
    }
  }

  test.each(byTool(firstSteps.filter(changes)))('%s is refused, logged, and changes nothing', (tool) => {
    expect(seen.of(tool).length).toBeGreaterThan(0);
    for (const note of seen.of(tool)) {
      expect(note).toMatchObject({
        end: '403 TOS_ACCEPTANCE_REQUIRED',
        details: { organizationId: note.organizationId, tosVersion: '1' },
        isUnchanged: true,
        logged: ['TOS_ACCEPTANCE_REQUIRED', note.subject],
      });
    }
  });

  test.each(byTool(firstSteps.filter((step) => !changes(step))))(
    '%s passes, for it changes nothing',
    (tool) => {
      expect(seen.of(tool)[0]).toMatchObject({ end: 'passed' });
    },
  );
});
