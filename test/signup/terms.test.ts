import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../store/memberships.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { publishVersion } from '../../tools/domain/organizations/terms.ts';
import { tools } from '../../tools/registry.ts';
import { type Newcomer, newNewcomer, signInAs } from '../support/callers/newcomers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal, type Refusal } from '../support/callers/refusals.ts';
import { overMcp } from '../support/callers/tool-lanes.ts';
import { engine } from '../support/database/database.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const lamp = { name: 'Lamps', brand: 'lamps.example', saveBrand: true, primaryCurrency: 'USD' };
const REQUIRED = 'TOS_ACCEPTANCE_REQUIRED';
const required = (version: string, details = {}): Refusal => ({
  code: REQUIRED,
  words: `The organization has not accepted version ${version} of the terms of service.`,
  details,
});

describe('the terms of service', () => {
  const clock = manualClock();
  let server: TestServer;
  /** Another process of the same database, where the database allows it. */
  let other: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { PUBLIC_URL: 'http://localhost:4000' } });
    // A file is served by one process alone.
    other = engine === 'postgres' ? await startTestServer({ clock, database: server.database }) : server;
  });
  afterAll(async () => {
    if (other !== server) await other.stop();
    await server.stop();
  });

  /** Somebody with a role on an organization, working in it or in an account below it. */
  async function personOf(organizationId: number, role: Role, worksIn = organizationId): Promise<Newcomer> {
    const person = await newNewcomer(server, { organizationId: worksIn });
    await server.store.db
      .insertInto('memberships')
      .values({
        user_id: person.userId,
        organization_id: organizationId,
        role,
        created_at: server.operator.now,
      })
      .execute();
    return person;
  }

  async function accountBelow(parentId: number): Promise<number> {
    const { organization } = await createOrganization(server.operator, {
      name: 'Below',
      parentId,
      roles: ['BUYER'],
    });
    return organization.id;
  }

  function acceptances() {
    return server.store.db
      .withoutPlugins()
      .selectFrom('terms_acceptances')
      .selectAll()
      .orderBy('organization_id')
      .execute();
  }

  const fresh = (): Promise<Person> => newPerson(server, { terms: false });

  test('that nobody accepted keep a member from changing anything, over REST and MCP, and from reading nothing', async () => {
    const { organizationId, key } = await fresh();
    const member = await personOf(organizationId, 'MEMBER');
    const [tool] = tools.filter(({ name }) => name === 'advertiser_create');
    if (tool === undefined) throw new Error('There is no advertiser_create.');

    const rest = await member.post('/buyer/advertisers', lamp);
    const mcp = await overMcp({ url: server.url, key, tool, args: lamp });

    const details = { organizationId, tosVersion: '1', tosUrl: 'http://localhost:4000/terms' };
    expectRefusal(rest, 403, required('1', details));
    expect(mcp.content).toMatchObject({ code: REQUIRED, details });
    expect((await member.get('/buyer/advertisers')).status).toBe(200);
  });

  test.each(['ADMIN', 'SUPER_ADMIN'] as const)(
    'are accepted by a direct %s for the organization and every account below it, in every process at once',
    async (role) => {
      const { organizationId } = await fresh();
      const account = await accountBelow(organizationId);
      const admin = await personOf(organizationId, role);
      const member = await personOf(organizationId, 'MEMBER', account);
      expectRefusal(await member.post('/buyer/advertisers', lamp), 403, {
        code: REQUIRED,
        words: `Organization ${organizationId}, below which yours stands, has not accepted version 1 of the terms of service.`,
        details: { organizationId },
      });

      const accepted = await admin.post('/accept-tos', { version: '1' });
      const again = await admin.post('/accept-tos', {});

      expect(accepted.status).toBe(200);
      expect(accepted.body.data.acceptance).toMatchObject({
        organizationId,
        tosVersion: '1',
        acceptedByUserId: admin.userId,
      });
      expect(again.body.data).toEqual(accepted.body.data);
      for (const url of [server.url, other.url]) {
        const elsewhere = await signInAs({ ...server, url }, member.userId, account);
        expect((await elsewhere.post('/buyer/advertisers', lamp)).status).toBe(201);
      }
      const rows = (await acceptances()).map(({ organization_id }) => organization_id);
      expect(rows.filter((id) => [organizationId, account].includes(id))).toEqual([organizationId]);
    },
  );

  test('are not accepted by an administrator of an account, nor by one whose role is inherited', async () => {
    const root = await fresh();
    const middle = await accountBelow(root.organizationId);
    const leaf = await accountBelow(middle);
    const before = await acceptances();

    const own = await personOf(leaf, 'ADMIN');
    const inherited = await personOf(middle, 'SUPER_ADMIN', leaf);
    const reader = await personOf(root.organizationId, 'READ_ONLY');
    for (const person of [own, inherited]) {
      expectRefusal(await person.post('/accept-tos', {}), 403, {
        code: 'FORBIDDEN',
        words:
          'Only an administrator of the organization that owns the agreement can accept it; ' +
          'a role in one of its accounts is not enough.',
      });
    }
    expectRefusal(await reader.post('/accept-tos', {}), 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the permission buyer:admin.',
    });

    expect(await acceptances()).toEqual(before);
  });

  test('are not accepted by a key, whatever it holds', async () => {
    const person = await fresh();
    const before = await acceptances();

    expectRefusal(await person.post('/accept-tos', {}), 403, {
      code: 'FORBIDDEN',
      words: 'This call is for people; a key, an application or a service token cannot make it.',
    });

    expect(await acceptances()).toEqual(before);
  });

  test('are not accepted in another version than the one in force', async () => {
    const { organizationId } = await fresh();
    const admin = await personOf(organizationId, 'ADMIN');

    const reply = await admin.post('/accept-tos', { version: '0' });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { version: 'Version 0 of the terms is not the one in force.' },
    });
  });

  test('are asked for anew once another version is in force, and not before', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await personOf(organizationId, 'ADMIN');
    const url = 'https://law.example/terms-2';
    await publishVersion(server.operator, { version: '2', effectiveAt: '2026-12-01T10:00:00.000Z', url });
    expect((await admin.post('/buyer/advertisers', lamp)).status).toBe(201);

    clock.advance(3_600_000);

    const details = { tosVersion: '2', tosUrl: url };
    expectRefusal(await admin.post('/buyer/advertisers', lamp), 403, required('2', details));
    expectRefusal(await admin.post('/accept-tos', { version: '1' }), 409, {
      code: 'CONFLICT',
      at: { version: 'Version 1 of the terms is not the one in force.' },
    });
    expect((await admin.post('/accept-tos', { version: '2' })).status).toBe(200);
    expect((await admin.post('/buyer/advertisers', lamp)).status).toBe(201);
  });
});
