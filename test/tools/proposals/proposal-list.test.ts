import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { done } from '../../support/sellers/market.ts';
import { offerFields, type Planned, planned } from '../../support/sellers/offers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('proposal_list', () => {
  let server: TestServer;
  let made: Planned;
  let clock: SkippingClock;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    made = await planned(server);
  });
  afterAll(async () => {
    await server.stop();
    await made.agent.stop();
  });

  test('200: gives the newest first, as a bare list, by status and by operator', async () => {
    const create = async (changes: object) =>
      done(await made.seller.post('/storefront/proposals', offerFields(made, made.buyer, changes))).id;
    const soon = new Date(clock.now() + 60_000).toISOString();
    const expired = await create({ expiresAt: soon, operatorId: 'acme.example' });
    const revoked = await create({});
    done(await made.seller.post(`/storefront/proposals/${revoked}/revoke`));
    const active = await create({});
    clock.skip(120_000);
    const listed = async (query: string) => {
      const { status, body } = await made.seller.get(`/storefront/proposals?${query}`);
      expect(status).toBe(200);
      return body.data.map(({ id }: { id: number }) => id);
    };

    expect(await listed('')).toEqual([active, revoked, expired]);
    expect(await listed('status=active')).toEqual([active]);
    expect(await listed('status=expired')).toEqual([expired]);
    expect(await listed('status=revoked')).toEqual([revoked]);
    expect(await listed('status=redeemed')).toEqual([]);
    expect(await listed('operatorId=ACME.example')).toEqual([expired]);
    expect(await listed(`operatorId=${made.buyer.accounts.BUYER}&limit=1&offset=1`)).toEqual([revoked]);
  });
});
