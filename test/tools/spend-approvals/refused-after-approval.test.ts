import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { FailingWrites } from '../../support/database/failing-writes.ts';
import { ScopeGuard } from '../../support/database/scope-guard.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** After that an order which nobody settled is sent again. */
const OVERDUE_MS = 180_000;

const NO = { errors: [{ code: 'SOLD_OUT', message: 'Nothing is left.' }] };

describe('a spend that was allowed and that its seller refuses', () => {
  const writes = new FailingWrites();
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let campaignId: string;
  /** What the seller's own list says of the buy. */
  let shown: { media_buy_id: string; status: string; packages: object[] };
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
      store: { plugins: [new ScopeGuard(), writes] },
    });
  });
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    const packages = [{ package_id: 'pkg_1', product_id: 'far-1', budget: 100 }];
    shown = { media_buy_id: 'far_1', status: 'active', packages };
    far.agent.on('create_media_buy', () => shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    far.agent.on('update_media_buy', () => shown);
    campaignId = await draftOf(buyer, {
      ...far,
      advertiserId: await newAdvertiser(buyer),
      productId: 'far-1',
    });
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  const path = () => `/buyer/campaigns/${campaignId}`;
  const execute = async () => done(await buyer.post(`${path()}/execute`));
  const another = async () => clientFor(server.url, await buyer.browser());
  const approved = async ({ approvalId }: { approvalId: string }) =>
    (await another()).post(`/buyer/spend-approvals/${approvalId}/approve`);
  const refuses = (tool: string) => far.agent.on(tool, () => NO);
  /** A buy of 100 that runs, of a campaign that may take 1000. */
  const running = async () => {
    await execute();
    await buyer.put(path(), { budget: { total: 1_000 } });
    return done(await buyer.get(path())).campaign.mediaBuys[0].mediaBuyId as string;
  };
  const paused = async (what: string) => {
    far.agent.on('update_media_buy', () => {
      shown = { ...shown, status: 'paused' };
      return shown;
    });
    done(await buyer.post(`${what}/pause`, {}));
  };
  const raised = { packages: [{ packageId: 'pkg_1', budget: 300 }] };

  const asking: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['orders', 'create_media_buy', async () => buyer.post(`${path()}/execute`)],
    [
      'a raise of its media buy',
      'update_media_buy',
      async () => {
        const mediaBuyId = await running();
        await limitSpend(server, buyer, 50);
        return buyer.patch(`/buyer/media-buys/${mediaBuyId}`, raised);
      },
    ],
    [
      'a raise with its campaign',
      'update_media_buy',
      async () => {
        const mediaBuyId = await running();
        await limitSpend(server, buyer, 50);
        return buyer.put(path(), { mediaBuys: [{ mediaBuyId, ...raised }] });
      },
    ],
    [
      'its campaign, which is to go on',
      'update_media_buy',
      async () => {
        await running();
        await paused(path());
        await limitSpend(server, buyer, 50);
        return buyer.post(`${path()}/reactivate`, {});
      },
    ],
    [
      'its media buy, which is to go on',
      'update_media_buy',
      async () => {
        const mediaBuyId = await running();
        await paused(`/buyer/media-buys/${mediaBuyId}`);
        await limitSpend(server, buyer, 50);
        return buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {});
      },
    ],
  ];
  test.each(asking)('tells whoever allowed %s, in the words of the seller', async (_, tool, ask) => {
    if (tool === 'create_media_buy') await limitSpend(server, buyer, 50);
    const { approval } = done((await ask()) as never);
    refuses(tool);
    const person = await another();
    const approve = async () =>
      done(await person.post(`/buyer/spend-approvals/${approval.approvalId}/approve`));

    const allowed = await approve();

    expect(allowed).toMatchObject({
      status: 'approved',
      outcome: { success: false, problems: [expect.stringContaining('SOLD_OUT: Nothing is left.')] },
    });
    // Kept for whoever looks later; allowed once it is done, and is not done again.
    const before = far.agent.calls.length;
    const kept = { outcome: allowed.outcome };
    expect(await approve()).toMatchObject(kept);
    expect(far.agent.calls).toHaveLength(before);
    expect(done(await buyer.get(`/buyer/spend-approvals/${approval.approvalId}`))).toMatchObject(kept);
    expect(done(await buyer.get('/buyer/spend-approvals')).items).toMatchObject([kept]);
  });

  test.each(asking)('is told of %s by what the sellers have, where nobody noted it', async (_, tool, ask) => {
    if (tool === 'create_media_buy') await limitSpend(server, buyer, 50);
    const { approval } = done((await ask()) as never);
    far.agent.on(tool, () => {
      void writes.failNext('spend_approvals');
      return NO;
    });
    const { outcome } = done(await approved(approval));

    const kept = done(await buyer.get(`/buyer/spend-approvals/${approval.approvalId}`));

    expect(kept).toMatchObject({
      outcome: { success: false, problems: [expect.stringContaining('SOLD_OUT: Nothing is left.')] },
    });
    expect(kept.outcome).toEqual(outcome);
    expect(done(await buyer.get('/buyer/spend-approvals')).items).toMatchObject([{ outcome }]);
  });

  test('is told of orders once the service has sent them again, where neither answer nor outcome was kept', async () => {
    await limitSpend(server, buyer, 50);
    const { approval } = await execute();
    far.agent.on('create_media_buy', () => {
      void writes.failNext().then(() => writes.failNext('spend_approvals'));
      return shown;
    });
    await approved(approval);
    const now = async () => done(await buyer.get(`/buyer/spend-approvals/${approval.approvalId}`));
    expect(await now()).toMatchObject({ status: 'approved' });
    expect(await now()).not.toHaveProperty('outcome');

    far.agent.on('create_media_buy', () => shown);
    clock.skip(OVERDUE_MS);
    let told = await now();
    while (told.outcome === undefined) told = await now();

    expect(told.outcome).toEqual({ success: true });
  });

  test('tells of a raise that its seller takes that it came to be', async () => {
    const mediaBuyId = await running();
    await limitSpend(server, buyer, 50);
    const { approval } = done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, raised));
    far.agent.on('update_media_buy', () => {
      shown = { ...shown, packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget: 300 }] };
      return shown;
    });

    const allowed = await (await another()).post(`/buyer/spend-approvals/${approval.approvalId}/approve`);

    expect(done(allowed).outcome).toEqual({ success: true });
  });

  test('is told on the page where it was allowed, in place of that it was done', async () => {
    await limitSpend(server, buyer, 50);
    const { approval } = await execute();
    refuses('create_media_buy');
    const { credential } = await newBrowser(server, buyer.organizationId);
    const [, csrf = ''] = credential.slice('browser '.length).split(' ');

    const { status, text } = await clientFor(server.url, credential).send(
      `${server.url}/settings/approvals`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
        body: new URLSearchParams({ csrf, do: 'approve', id: approval.approvalId }).toString(),
      },
    );

    expect(status).toBe(200);
    expect(text).toContain('It is allowed, but not all of it came to be.');
    expect(text).toContain('SOLD_OUT: Nothing is left.');
  });
});
