import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetOauth } from '../../adapters/process/oauth-retention.ts';
import { forgetOld, retentionOf } from '../../adapters/process/retention.ts';
import { NEWS_CHANNEL } from '../../store/engine/news.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { managerOf } from '../support/callers/managers.ts';
import { type Newcomer, newNewcomer } from '../support/callers/newcomers.ts';
import { sponsoredBuyer } from '../support/callers/newly-joined.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { newServiceToken } from '../support/callers/service-tokens.ts';
import { engine } from '../support/database/database.ts';
import { done, openStorefront } from '../support/sellers/market.ts';
import { recordingMail } from '../support/server/mail.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const DAY_MS = 86_400_000;
/** How long the longest of them can be used: an invitation for a week, a token for a day unless told. */
const OPEN_DAYS = 7;
const [ENDED_DAYS, PREVIEW_DAYS] = [90, 730];

const plans = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines',
  role: 'brand',
  intended_markets: ['FR'],
  intended_channels: ['ctv'],
  pilot_budget: 'around 20,000 USD',
  pilot_timing: 'ready_now',
  self_service_experience: true,
  prelaunch_willing: true,
};

let server: TestServer;
let owner: Person;
let admin: Newcomer;
let domain: string;
beforeAll(async () => {
  server = await startTestServer({ own: true, mail: recordingMail() });
  owner = await newPerson(server);
  admin = await managerOf(server, owner.organizationId);
  domain = `join-${owner.organizationId}.example`;
  await verifyDomain(server.operator, { organizationId: owner.organizationId, domain });
  await admin.patch(`/domains/${domain}`, { policy: 'request_approval' });
});
afterAll(() => server.stop());

/** Housekeeping as it would be so many days from now. */
async function keepHouse(days: number): Promise<void> {
  const { services } = server.running.app;
  const { clock } = services.ports;
  const then = { ...services.ports, clock: { ...clock, now: () => clock.now() + days * DAY_MS } };
  await forgetOld({ ...services, ports: then }, retentionOf(server.config));
}

async function kept() {
  const { db } = server.store;
  const { organizationId } = owner;
  const of = (table: 'invitations' | 'service_tokens' | 'join_requests') =>
    db.selectFrom(table).select('id').where('organization_id', '=', organizationId).execute();
  const previews = await db.selectFrom('preview_requests').select('id').execute();
  return {
    invitations: (await of('invitations')).length,
    serviceTokens: (await of('service_tokens')).length,
    joinRequests: (await of('join_requests')).length,
    previews: previews.length,
  };
}

/** Somebody of the domain who asks to be let in, and what they are told. */
async function asksIn(name: string, status: 'approved' | 'declined'): Promise<Newcomer> {
  const person = await newNewcomer(server, { email: `${name}@${domain}` });
  expect((await person.post('/signup/join-requests', {})).status).toBe(201);
  const { joinRequests } = (await admin.get('/join-requests?status=pending')).body.data;
  expect((await admin.patch(`/join-requests/${joinRequests[0].id}`, { status })).status).toBe(200);
  return person;
}

test('ways in are forgotten when they were over for as long as the settings say, and declined people stay out', async () => {
  expect((await admin.post('/invitations', { email: 'guest@guest.example' })).status).toBe(201);
  const token = await newServiceToken(server, owner);
  await asksIn('approved', 'approved');
  const declined = await asksIn('declined', 'declined');
  const asking = await newNewcomer(server);
  expect((await asking.post('/signup/previews', { ...plans, email: asking.email })).status).toBe(201);

  await keepHouse(ENDED_DAYS - 1);
  expect(await kept()).toEqual({ invitations: 1, serviceTokens: 1, joinRequests: 2, previews: 1 });
  expect((await owner.get('/service-tokens')).body.data.items).toMatchObject([{ id: token.record.id }]);

  await keepHouse(ENDED_DAYS + OPEN_DAYS + 1);
  expect(await kept()).toEqual({ invitations: 0, serviceTokens: 0, joinRequests: 1, previews: 1 });
  expect((await owner.get('/service-tokens')).body.data.items).toEqual([]);

  await keepHouse(PREVIEW_DAYS + 1);
  expect(await kept()).toEqual({ invitations: 0, serviceTokens: 0, joinRequests: 1, previews: 0 });
  await admin.patch(`/domains/${domain}`, { policy: 'auto_approve' });
  const again = await declined.post('/signup/join-requests', {});
  expect(again.body.data).toMatchObject({ status: 'requested' });
});

test('a disabled join link is forgotten with them, unless a buyer came by it', async () => {
  const seller = await newPerson(server, { roles: ['SELLER'] });
  await openStorefront(seller);
  const link = async () => done(await seller.post('/storefront/join-links', {}));
  const [used, open, unused] = [await link(), await link(), await link()];
  await sponsoredBuyer(server, used.slug);
  for (const { id } of [used, unused]) {
    expect((await seller.delete(`/storefront/join-links/${id}`)).status).toBe(200);
  }
  const links = async () =>
    (
      await server.store.db
        .selectFrom('join_links')
        .select('id')
        .where('organization_id', '=', seller.organizationId)
        .execute()
    ).map(({ id }) => id);

  await keepHouse(ENDED_DAYS - 1);
  expect(await links()).toHaveLength(3);

  await keepHouse(ENDED_DAYS + 1);
  expect((await links()).sort()).toEqual([used.id, open.id].sort());
});

test('more of them than one step takes are forgotten in one round', async () => {
  const row = { organization_id: owner.organizationId, email: 'many@guest.example', role: 'MEMBER' as const };
  const over = { expires_at: '2020-01-08T00:00:00.000Z', created_at: '2020-01-01T00:00:00.000Z' };
  const never = { invited_by: null, accepted_at: null, accepted_by: null, revoked_at: null };
  const rows = Array.from({ length: 1_200 }, (_, index) => ({
    ...row,
    ...over,
    ...never,
    id: `inv_many${index}`,
    hash: `many ${index}`,
  }));
  const { invitations } = await kept();
  await server.store.db.insertInto('invitations').values(rows).execute();

  await keepHouse(0);

  expect((await kept()).invitations).toBe(invitations);
});

test.runIf(engine === 'postgres')(
  'a round that forgets nothing tells no process that access changed',
  async () => {
    const { services } = server.running.app;
    const client = new pg.Client({ connectionString: server.config.databaseUrl });
    await client.connect();
    const heard: string[] = [];
    const end = new Promise<void>((resolve) => {
      client.on('notification', ({ payload = '' }) => {
        if (payload === 'the end') resolve();
        else if (payload.includes('"access"')) heard.push(payload);
      });
    });
    await client.query(`listen ${NEWS_CHANNEL}`);

    await forgetOld(services, retentionOf(server.config));
    await forgetOauth(services, DAY_MS);
    await client.query(`select pg_notify('${NEWS_CHANNEL}', 'the end')`);
    await end;
    await client.end();

    expect(heard).toEqual([]);
  },
);
