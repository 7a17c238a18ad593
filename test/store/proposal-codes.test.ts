import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealWith } from '../../adapters/ports/secrets.ts';
import { startHousekeeping } from '../../adapters/process/housekeeping.ts';
import { forgetOld, retentionOf } from '../../adapters/process/retention.ts';
import { sealAnew } from '../../tools/domain/sealing/rotation.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { offerFields, type Planned, planned } from '../support/sellers/offers.ts';
import { everythingKept } from '../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PATH = '/storefront/proposals';
const KEY = Buffer.alloc(32, 3);

describe('the code of a proposal', () => {
  let database: TestDatabase;
  let server: TestServer;
  let made: Planned;
  let guest: Person;
  let advertiserId: string;
  beforeAll(async () => {
    database = await freshDatabase();
    server = await startTestServer({
      database,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', SECRETS_KEY: KEY.toString('base64') },
    });
    made = await planned(server);
    guest = await newPerson(server);
    advertiserId = await newAdvertiser(guest);
  });
  afterAll(async () => {
    await server.stop();
    await made.agent.stop();
    await database.drop();
  });

  const offer = async () =>
    done(await made.seller.post(PATH, { ...offerFields(made, guest), expiresAt: undefined }));
  const shown = async (id: number) => done(await made.seller.get(`${PATH}/${id}`)).proposalCode;
  const opens = async (proposalCode: string) => {
    const asked = { advertiserId, waitSeconds: 30, proposalCode };
    return (await guest.post('/buyer/discovery/discover-products', asked)).status;
  };

  test('stands nowhere as it is, opens, and is shown to its seller again', async () => {
    const { id, proposalCode } = await offer();

    expect(await opens(proposalCode)).toBe(200);
    expect(await opens('PRP-AAAAAA')).toBe(404);
    expect(await shown(id)).toBe(proposalCode);
    expect(done(await made.seller.get(PATH))[0].proposalCode).toBe(proposalCode);
    const kept = await everythingKept(server);
    expect(kept).toContain('f1.');
    expect(kept).not.toContain(proposalCode);
    expect(kept).not.toContain('PRP-AAAAAA');
  });

  test('of before it was encrypted opens, and is encrypted by the next round of housekeeping', async () => {
    const { id } = await offer();
    const code = 'PRP-BEFORE';
    const { services } = server.running.app;
    const row = () =>
      server.store.db
        .selectFrom('storefront_proposals')
        .select(['code', 'code_sealed'])
        .where('organization_id', '=', made.seller.organizationId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    await server.store.db
      .updateTable('storefront_proposals')
      .set({ code, code_sealed: null })
      .where('organization_id', '=', made.seller.organizationId)
      .where('id', '=', id)
      .execute();
    expect([await opens(code), await shown(id)]).toEqual([200, code]);

    const kept = retentionOf(server.config);
    const housekeeping = await startHousekeeping(services, { leaseMs: 900_000, kept, keysKeptMs: 1 });
    await housekeeping.stop();

    expect((await row()).code).toMatch(/^f1\./);
    expect((await row()).code_sealed).toMatch(/^v1\./);
    expect([await opens(code), await shown(id)]).toEqual([200, code]);
  });

  test('opens and is shown by the keys of before and by a new one alone, once it was encrypted anew', async () => {
    const { id, proposalCode } = await offer();
    const fresh = Buffer.alloc(32, 4);
    await server.stop();
    const settings = (secretsKey: Buffer, previous: string) => ({
      SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
      SECRETS_KEY: secretsKey.toString('base64'),
      SECRETS_KEY_PREVIOUS: previous,
    });
    const seenAt = async (at: TestServer) => [
      done(await clientFor(at.url, made.seller.key).get(`${PATH}/${id}`)).proposalCode,
      (
        await clientFor(at.url, guest.key).post('/buyer/discovery/discover-products', {
          advertiserId,
          waitSeconds: 30,
          proposalCode,
        })
      ).status,
    ];

    const both = await startTestServer({ database, settings: settings(fresh, KEY.toString('base64')) });
    expect(await seenAt(both)).toEqual([proposalCode, 200]);
    expect(await sealAnew(both.store, sealWith(fresh, KEY))).toBeGreaterThan(0);
    await both.stop();
    server = await startTestServer({ database, settings: settings(fresh, '') });

    expect(await seenAt(server)).toEqual([proposalCode, 200]);
  });
});

test('tries of codes are forgotten once they count no more', async () => {
  const server = await startTestServer({ own: true });
  const guest = await newPerson(server);
  const advertiserId = await newAdvertiser(guest);
  const asked = { advertiserId, proposalCode: 'PRP-000000' };
  await guest.post('/buyer/discovery/discover-products', asked);
  const { services } = server.running.app;
  const rows = () =>
    server.store.db
      .selectFrom('proposal_code_tries')
      .select('tries')
      .where('organization_id', '=', guest.organizationId)
      .execute();
  const kept = retentionOf(server.config);
  const now = services.ports.clock.now();
  const at = (ms: number) => {
    const clock = { ...services.ports.clock, now: () => now + ms };
    return { ...services, ports: { ...services.ports, clock } };
  };

  await forgetOld(at(3_000_000), kept);
  expect(await rows()).toHaveLength(1);
  await forgetOld(at(3_700_000), kept);
  expect(await rows()).toEqual([]);
  await server.stop();
});
