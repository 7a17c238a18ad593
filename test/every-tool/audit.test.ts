import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditLogRow } from '../../store/audit-log.ts';
import { byTool, capabilityOf, changes, firstSteps, namesSubject } from '../journeys/journey.ts';
import { isForPeople, type Step } from '../journeys/step.ts';
import { credentialOf, type Moment, walk } from '../journeys/walk.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { lastEntry } from '../support/database/last-entry.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { Seen } from './support.ts';

const ACTIONS = { create: 'CREATE', update: 'UPDATE', delete: 'DELETE', act: 'EXECUTE' } as const;

type Entry = AuditLogRow;

/** What an entry has to say, beside what was done. */
interface Expected {
  readonly entries: readonly Entry[];
  readonly expected: object;
  /** Of whom it is, where the input named somebody. */
  readonly advertiser?: number | null;
}

function actionOf(step: Step): string | undefined {
  const capability = capabilityOf(step);
  if (!('effect' in capability) || capability.effect === 'read') return undefined;
  return step.logged?.action ?? ACTIONS[capability.effect];
}

/** A key is named as it was called then, and a person by address and name. */
function authorOf(step: Step, { keyId }: Person): object {
  if (!isForPeople(step)) {
    return { credential_id: `api_key:${keyId}`, credential_name: 'Test', actor_origin: 'agent' };
  }
  return {
    credential_id: expect.stringMatching(/^user:\d+$/),
    user_email: expect.stringContaining('@people.example'),
    user_name: expect.stringMatching(/^Person /),
    actor_origin: 'human',
  };
}

/** A pattern stands for whatever it matches. */
function namedAs(called: string | RegExp | null): unknown {
  return called instanceof RegExp ? expect.stringMatching(called) : called;
}

describe('the audit log', () => {
  const made = new Seen<Expected>();
  const refused = new Seen<Expected>();
  const foreign = new Seen<Expected>();
  let server: TestServer;
  let stranger: Person;
  beforeAll(async () => {
    server = await startTestServer();
    stranger = await newPerson(server);
    let last = 0;
    await walk(server, {
      respell: (step, args) => (changes(step) ? { ...args, reason: `Asked by ${step.tool}’s owner.` } : args),
      before: async (moment) => {
        await refuse(moment);
        await refuseStranger(moment);
        last = await lastEntry(server.store);
      },
      after: async ({ step, person, made: idOf }) => {
        const entries = await entriesAfter(person, last);
        const { type, id, called = null, ofAdvertiser } = step.logged ?? {};
        const expected = {
          tool: step.tool,
          action: actionOf(step),
          outcome: 'succeeded',
          error_code: null,
          surface: capabilityOf(step).surface,
          customer_id: person.accounts[step.by === 'buyer' ? 'BUYER' : 'SELLER'],
          ...authorOf(step, person),
          resource_type: type,
          resource_id: id === undefined ? null : idOf(id),
          resource_name: namedAs(called),
          advertiser_id: ofAdvertiser ? Number(idOf('advertiserId')) : null,
          parameters: expect.stringMatching(/^\{(?!.*"reason":)/),
          reason: `Asked by ${step.tool}’s owner.`,
        };
        made.add(step.tool, { entries, expected });
      },
    });
  }, 120_000);
  afterAll(() => server.stop());

  /** What callers did: not what made them known, nor what the service does of its own. */
  async function entriesAfter({ organizationId }: Person, id: number): Promise<Entry[]> {
    return server.store.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '>', id)
      .where('actor_origin', 'in', ['agent', 'human'])
      .orderBy('id')
      .execute();
  }

  /**
   * Refused for the key, and then for the input: of that, which may be anything, nothing is kept but the id of the
   * object that it names.
   */
  async function refuse(moment: Moment): Promise<void> {
    const { step, person, args, subject } = moment;
    const last = await lastEntry(server.store);
    await moment.ask({ key: (await person.withKey(['account:admin'])).key });
    await moment.ask({ args: { ...args, utterlyUnknown: 1 } });
    const expected = {
      tool: step.tool,
      outcome: 'denied',
      parameters: null,
      // Terms are named by their version before anybody has accepted them.
      resource_id: step.tool === 'accept_tos' ? args['version'] : subject,
    };
    const ofAdvertiser = step.logged?.ofAdvertiser && step.tool !== 'advertiser_create';
    const advertiser = ofAdvertiser ? Number(moment.made('advertiserId')) : null;
    refused.add(step.tool, { entries: await entriesAfter(person, last), expected, advertiser });
  }

  /** Refused for an object that the caller may not even know of. */
  async function refuseStranger(moment: Moment): Promise<void> {
    const { step, subject, person } = moment;
    if (!changes(step) || subject === null) return;
    const last = await lastEntry(server.store);
    await moment.ask({ key: await credentialOf(step, stranger) });
    const entries = [...(await entriesAfter(stranger, last)), ...(await entriesAfter(person, last))];
    const expected = {
      tool: step.tool,
      organization_id: stranger.organizationId,
      outcome: 'denied',
      error_code: 'NOT_FOUND',
      resource_type: step.logged?.type,
      resource_id: subject,
      advertiser_id: null,
    };
    foreign.add(step.tool, { entries, expected });
  }

  test.each(byTool(firstSteps.filter(changes)))('has one entry of what %s changed', (tool, step) => {
    expect(made.of(tool).length).toBeGreaterThan(0);
    for (const { entries, expected } of made.of(tool)) {
      expect(entries[0]).toMatchObject(expected);
      expect(entries.slice(1).map(({ resource_type }) => resource_type)).toEqual(step.alsoLogged ?? []);
    }
  });

  test.each(byTool(firstSteps.filter(changes)))('has one entry of each refusal of %s', (tool, step) => {
    expect(refused.of(tool).length).toBeGreaterThan(0);
    // The body of a request is not read before its key is allowed.
    const capability = capabilityOf(step);
    const isInAddress = 'rest' in capability && capability.rest?.path.includes('{') === true;
    for (const { entries, expected, advertiser } of refused.of(tool)) {
      const named = isInAddress ? { advertiser_id: advertiser } : { resource_id: null, advertiser_id: null };
      expect(entries).toMatchObject([
        { ...expected, ...named, error_code: 'FORBIDDEN' },
        { ...expected, error_code: 'VALIDATION_ERROR', advertiser_id: advertiser },
      ]);
    }
  });

  test.each(byTool(firstSteps.filter(namesSubject)))(
    'files what %s refused a stranger under the stranger, with the id that was named',
    (tool) => {
      expect(foreign.of(tool).length).toBeGreaterThan(0);
      for (const { entries, expected } of foreign.of(tool)) expect(entries).toMatchObject([expected]);
    },
  );

  test.each(byTool(firstSteps.filter((step) => !changes(step))))(
    'has nothing of %s, which only reads',
    (tool) => {
      expect(made.of(tool)[0]?.entries).toEqual([]);
      expect(refused.of(tool)[0]?.entries).toEqual([]);
    },
  );
});
