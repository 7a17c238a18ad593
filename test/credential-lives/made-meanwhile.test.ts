import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOn, confirmAt, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import type { Client } from '../support/callers/client.ts';
import { browserOf } from '../support/callers/consenting.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { connect } from '../support/callers/programs.ts';
import { newAccount, PASSWORD } from '../support/callers/signed-in.ts';
import { engine } from '../support/database/database.ts';
import { holdLog } from '../support/database/held-log.ts';
import { done } from '../support/sellers/market.ts';
import type { TestServer as Server } from '../support/server/server.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** Somebody who is about to make a credential, and how they do. */
interface Making {
  readonly userId: number;
  make(): Promise<unknown>;
}

type Maker = (server: Server, owner: Person) => Promise<Making>;

/** What acts for the person who made it, and ends when they are taken out. */
const theirs = {
  'a service token': async (server, owner) => {
    const person = await managerOf(server, owner.organizationId, 'ADMIN');
    return { userId: person.userId, make: () => person.post('/service-tokens', { name: 'Token' }) };
  },
  'what a program is given': async (server, owner) => {
    const { userId, email } = await managerOf(server, owner.organizationId, 'ADMIN');
    const browser = await browserOf(server, { userId, email, organization: owner });
    return { userId, make: () => connect(server, browser) };
  },
  'the answer to a claim': async (server, owner) => {
    const { person, uri } = await claimOf(server, owner);
    return { userId: person.userId, make: () => confirmAt(person, uri) };
  },
  'a claimed agent': async (server, owner) => {
    const { person, uri, token } = await claimOf(server, owner);
    const code = codeOn(await confirmAt(person, uri));
    const claim = { claim_token: token, user_code: code };
    return {
      userId: person.userId,
      make: () => stranger(server).post('/agent/identity/claim/complete', claim),
    };
  },
} satisfies Record<string, Maker>;

/** What is the organization's: made before they are taken out it stays, and afterwards they make none. */
const organizations = {
  'an organization key': (server, owner) => posting(server, owner, '/org-api-keys'),
  'an application': (server, owner) => posting(server, owner, '/m2m-applications'),
} satisfies Record<string, Maker>;

async function posting(server: Server, owner: Person, path: string): Promise<Making> {
  const person = await managerOf(server, owner.organizationId, 'ADMIN');
  const input = { name: 'Script', permissions: ['buyer:read'] };
  return { userId: person.userId, make: () => person.post(path, input) };
}

async function claimOf(server: Server, { organizationId }: Person) {
  const person = await personAtBrowser(server, { organizationIds: [organizationId] });
  const asked = { type: 'service_auth', login_hint: person.email };
  const { claim } = (await stranger(server).post('/agent/identity', asked)).body;
  return { person, uri: String(claim.attempt.verification_uri), token: String(claim.token) };
}

// Where two transactions are open at once: on SQLite one writes after the other.
describe.runIf(engine === 'postgres')('a credential that is made while its maker is taken out', () => {
  let server: TestServer;
  let owner: Person;
  let admin: Client;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { MAILS_PER_IP: '1000' } });
    owner = await newPerson(server);
    admin = await managerOf(server, owner.organizationId);
  });
  afterAll(() => server.stop());

  const takeOut = (userId: number) => admin.delete(`/members/${userId}`);

  /** Everything that acts for a person, and everything that they made for the organization. */
  async function liveOf(userId: number): Promise<string[]> {
    const db = server.store.db.withoutPlugins();
    const rows = await Promise.all([
      db
        .selectFrom('service_tokens')
        .select('name')
        .where('user_id', '=', userId)
        .where('archived_at', 'is', null)
        .execute(),
      db
        .selectFrom('oauth_grants')
        .select('id')
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .execute(),
      db
        .selectFrom('agent_registrations')
        .select('id')
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .execute(),
      db
        .selectFrom('agent_claim_attempts')
        .select('id')
        .where('confirmed_by', '=', userId)
        .where('ended_at', 'is', null)
        .execute(),
      db.selectFrom('api_keys').select('id').where('created_by_user_id', '=', userId).execute(),
      db.selectFrom('m2m_applications').select('id').where('created_by_user_id', '=', userId).execute(),
    ]);
    return rows.flat().map((row) => JSON.stringify(row));
  }

  /** Has one deed done but for its entry in the log, begins another, and lets both go on. */
  async function between(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
    const log = await holdLog(server.database);
    const settled: Promise<PromiseSettledResult<unknown>[]>[] = [];
    try {
      settled.push(Promise.allSettled([first()]));
      await log.behind(1);
      settled.push(Promise.allSettled([second()]));
      await log.behind(2);
    } finally {
      await log.release();
      await Promise.all(settled);
    }
  }

  test.each(Object.entries<Maker>(theirs))(
    'ends with the rest, where %s was made first',
    async (_, maker) => {
      const { userId, make } = await maker(server, owner);

      await between(make, async () => done(await takeOut(userId)));

      expect(await liveOf(userId)).toEqual([]);
    },
  );

  test.each(Object.entries<Maker>({ ...theirs, ...organizations }))(
    'is not made, where %s came second',
    async (_, maker) => {
      const { userId, make } = await maker(server, owner);

      await between(async () => done(await takeOut(userId)), make);

      expect(await liveOf(userId)).toEqual([]);
    },
  );

  test.each([
    ['first', true],
    ['second', false],
  ])('is no session by a password that was changed meanwhile: the sign-in came %s', async (_, isFirst) => {
    const ada = await newAccount(server, { organizationId: owner.organizationId });
    const change = () =>
      ada.submit('/settings/profile', {
        do: 'password',
        current: PASSWORD,
        password: `${PASSWORD} again`,
      });
    const browser = browserClient(server.url);
    const signIn = () => browser.submit('/sign-in', { email: ada.email, password: PASSWORD });

    await (isFirst ? between(signIn, change) : between(change, signIn));

    expect((await browser.get('/settings/profile')).status).toBe(303);
    expect((await ada.get('/settings/profile')).status).toBe(200);
  });
});
