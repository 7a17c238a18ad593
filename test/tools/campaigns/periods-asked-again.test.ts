import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AdaAndBea, adaAndBea } from '../../support/buying/ada-and-bea.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { decidesLater, type KeptBuys, takesChanges } from '../../support/sellers/changing-seller.ts';
import type { FarSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign } from '../../support/sellers/market.ts';

interface Buy {
  readonly mediaBuyId: string;
  readonly salesAgentId: string;
  readonly packages: readonly { readonly packageId: string; readonly budget: number }[];
}

const period = (label: string, day: string, budget: number) => ({
  ...{ label, start: `2026-12-${day}`, end: `2026-12-${day}` },
  ...{ budget },
});
const one = period('one', '10', 400);
const two = period('two', '12', 200);
const three = period('three', '14', 100);
const refusal = () => ({ errors: [{ code: 'POLICY', message: 'Not now.', recovery: 'correctable' }] });

/** Ada and Bea have 200 each of a first period of 400. */
describe('periods that follow in a campaign of two sellers', () => {
  let world: AdaAndBea;
  let campaignId: string;
  let keptAtBea: KeptBuys;
  beforeAll(async () => {
    world = await adaAndBea();
    // Which tools a seller has is asked once.
    decidesLater(world.bea);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    const { ada, bea, buyer, advertiserId } = world;
    takesChanges(ada);
    keptAtBea = takesChanges(bea);
    updatesBefore = { Ada: callsOf(ada), Bea: callsOf(bea) };
    ({ campaignId } = await draftCampaign(buyer, {
      advertiserId,
      budget: 700,
      each: 200,
      storefrontIds: [ada.storefrontId, bea.storefrontId],
      campaign: { pacingPeriods: { mode: 'budget', periods: [one] } },
    }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  });

  const put = (changes: object) => world.buyer.put(`/buyer/campaigns/${campaignId}`, changes);
  const periods = (...all: object[]) => ({ pacingPeriods: { mode: 'budget', periods: all } });
  const read = async () => done(await world.buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const refresh = async () => done(await world.buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const buyAt = async ({ agentId }: FarSeller): Promise<Buy> =>
    (await read()).mediaBuys.find(({ salesAgentId }: Buy) => salesAgentId === agentId);
  const budgetsAt = async (seller: FarSeller) => (await buyAt(seller)).packages.map(({ budget }) => budget);
  let updatesBefore: Readonly<Record<string, number>> = {};
  const callsOf = ({ agent }: FarSeller) =>
    agent.calls.filter(({ tool }) => tool === 'update_media_buy').length;
  const updatesAt = (seller: FarSeller) => callsOf(seller) - (updatesBefore[seller.name] ?? 0);
  const isSound = async () =>
    expect(await faultsOf(world.server.store.db, world.buyer.organizationId)).toEqual([]);

  test.each([
    ['at once', () => world.bea.agent.on('update_media_buy', refusal)],
    [
      'later',
      () =>
        decidesLater(world.bea).decides({
          status: 'rejected',
          error: { code: 'POLICY', message: 'Not now.' },
        }),
    ],
  ])('are asked once more of a seller that refused them %s, and of it alone', async (_, refuses) => {
    const { ada, bea } = world;
    refuses();
    done(await put(periods(one, two)));
    await refresh();
    expect([await budgetsAt(ada), await budgetsAt(bea)]).toEqual([[200, 100], [200]]);
    const before = updatesAt(ada);
    takesChanges(bea, keptAtBea);

    const answer = done(await put(periods(one, two)));

    expect(answer).toMatchObject({
      mediaBuyResults: [{ success: true }],
      pacingCascadeResult: { totalMediaBuys: 1, successCount: 1, failureCount: 0 },
    });
    expect(updatesAt(ada)).toBe(before);
    expect(await budgetsAt(bea)).toEqual([200, 100]);
    expect(done(await put(periods(one, two)))).not.toHaveProperty('mediaBuyResults');
    await isSound();
  });

  test('are not asked once more with another change, which is made', async () => {
    world.bea.agent.on('update_media_buy', refusal);
    done(await put(periods(one, two)));
    const before = updatesAt(world.bea);

    const answer = done(await put({ ...periods(one, two), name: 'Winter again' }));

    expect(answer).not.toHaveProperty('pacingCascadeResult');
    expect(answer.campaign.name).toBe('Winter again');
    expect(updatesAt(world.bea)).toBe(before);
  });

  test('are not asked once more of a seller that still decides', async () => {
    decidesLater(world.bea);
    done(await put(periods(one, two)));

    expect(done(await put(periods(one, two)))).not.toHaveProperty('mediaBuyResults');
    expect(updatesAt(world.bea)).toBe(1);
  });

  test('are given away whole, whatever the sellers have by then', async () => {
    const { ada, bea } = world;
    const { mediaBuyId, packages } = await buyAt(ada);
    const [{ packageId = '' } = {}] = packages;
    done(await put({ mediaBuys: [{ mediaBuyId, packages: [{ packageId, budget: 50 }] }] }));

    done(await put(periods(one, two)));

    expect([await budgetsAt(ada), await budgetsAt(bea)]).toEqual([
      [50, 40],
      [200, 160],
    ]);
    done(await put(periods(one, two, three)));
    expect([await budgetsAt(ada), await budgetsAt(bea)]).toEqual([
      [50, 40, 20],
      [200, 160, 80],
    ]);
    await isSound();
  });

  test('are given away whole after one of them was refused by a seller', async () => {
    const { ada, bea } = world;
    bea.agent.on('update_media_buy', refusal);
    done(await put(periods(one, two)));
    takesChanges(bea, keptAtBea);

    done(await put(periods(one, two, three)));

    expect([await budgetsAt(ada), await budgetsAt(bea)]).toEqual([
      [200, 100, 60],
      [200, 40],
    ]);
    await isSound();
  });

  test('are by weight as much a day as those that the seller has, also after one it refused', async () => {
    const { ada, bea, buyer, advertiserId } = world;
    const weighted = (...days: string[]) => ({
      mode: 'weight',
      periods: days.map((day) => ({ label: day, start: `2026-12-${day}`, end: `2026-12-${day}`, weight: 1 })),
    });
    ({ campaignId } = await draftCampaign(buyer, {
      advertiserId,
      budget: 2_000,
      each: 200,
      storefrontIds: [ada.storefrontId, bea.storefrontId],
      campaign: { pacingPeriods: weighted('10') },
    }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    bea.agent.on('update_media_buy', refusal);
    done(await put({ pacingPeriods: weighted('10', '12') }));
    takesChanges(bea, keptAtBea);

    done(await put({ pacingPeriods: weighted('10', '12', '14') }));
    done(await put({ pacingPeriods: weighted('10', '12', '14') }));

    expect([await budgetsAt(ada), await budgetsAt(bea)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
  });
});
