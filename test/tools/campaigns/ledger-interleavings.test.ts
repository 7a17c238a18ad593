import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeScope } from '../../../store/engine/scope.ts';
import { accountOf } from '../../../tools/domain/ledger/account.ts';
import { setCreditLimit } from '../../../tools/domain/ledger/operating.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import type { Reply } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { decidesLater, type KeptBuys, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';
import { allUnderWay } from '../../support/server/under-way.ts';

interface Buy {
  readonly salesAgentId: string;
  readonly mediaBuyId: string;
  readonly packages: readonly { readonly packageId: string }[];
}

type Call = () => Promise<Reply>;

const between = writesBeforeStoring('media_buy_update', 'campaign_execute');
let server: TestServer;
let sellers: readonly FarSeller[];
/** What Ada keeps of her buys. */
let kept: KeptBuys;
let buyer: Person;
let advertiserId: string;
beforeAll(async () => {
  const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
  server = await startTestServer({ families: between.families, settings });
  sellers = [await farSeller(server, 'Ada'), await farSeller(server, 'Bea')];
});
afterAll(async () => {
  await server.stop();
  await Promise.all(sellers.map(({ agent }) => agent.stop()));
});
beforeEach(async () => {
  const [ofAda] = sellers.map((seller) => takesChanges(seller));
  if (ofAda === undefined) throw new Error('Nobody sells.');
  kept = ofAda;
  buyer = await newPerson(server, { funds: false });
  advertiserId = await newAdvertiser(buyer);
});

/** Ada's buys read with this budget from now on. */
function carryOut(budget: number): void {
  for (const [id, buy] of kept) {
    kept.set(id, { ...buy, packages: buy.packages.map((part) => ({ ...part, budget })) });
  }
}

/** The second call is stored after the first one has read, and before that stores anything. */
async function within(first: Call, second: Call): Promise<Reply[]> {
  let inner: Reply | undefined;
  between.next(async () => {
    inner = await second();
  });
  const outer = await first();
  if (inner === undefined) throw new Error('There was no gap.');
  return [outer, inner];
}

const ways = [
  ['one within the other', within],
  ['both under way', (first: Call, second: Call) => allUnderWay(server, [first, second])],
] as const;

describe.each(ways)('an account that two spend of, %s', (_, together) => {
  /** A credit of so much, and a campaign of 1,000 that runs with a media buy of 100 at each seller. */
  async function running(credit: number): Promise<{ campaignId: string; buys: readonly [Buy, Buy] }> {
    const { organizationId } = buyer;
    await setCreditLimit(server.operator, { organizationId, currency: 'USD', limitMinor: credit * 100 });
    const campaignId = await drafted();
    done(await execute(campaignId));
    const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    return { campaignId, buys: mediaBuys };
  }

  const drafted = async () => {
    const storefrontIds = sellers.map(({ storefrontId }) => storefrontId);
    return (await draftCampaign(buyer, { advertiserId, budget: 1_000, storefrontIds })).campaignId;
  };
  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const raise = ({ mediaBuyId, packages: [part] }: Buy, budget: number) =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: part?.packageId, budget }] });
  const refresh = (campaignId: string) => buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`);

  const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();

  async function committed(): Promise<number> {
    const { organizationId, accounts } = buyer;
    const scope = makeScope({ organizationId, customerId: accounts.BUYER ?? 0 });
    return (await accountOf(server.store.db, scope, 'USD')).committedMinor / 100;
  }

  /** Every entry adds up and agrees with its media buy, and so much is committed in all. */
  async function isSound(amount: number): Promise<void> {
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
    expect(await committed()).toBe(amount);
  }

  test('commits both of two raises that it has room for', async () => {
    const { buys } = await running(500);

    const replies = await together(
      () => raise(buys[0], 250),
      () => raise(buys[1], 250),
    );

    expect(statuses(replies)).toEqual([200, 200]);
    await isSound(500);
  });

  test('commits one of two raises that it has room for one of', async () => {
    const { buys } = await running(499.99);

    const replies = await together(
      () => raise(buys[0], 250),
      () => raise(buys[1], 250),
    );

    expect(statuses(replies)).toEqual([200, 402]);
    await isSound(350);
  });

  test('commits one of two raises of the same media buy', async () => {
    const { buys } = await running(1_000);

    const replies = await together(
      () => raise(buys[0], 250),
      () => raise(buys[0], 250),
    );

    expect(statuses(replies)).toEqual([200, 409]);
    await isSound(350);
  });

  test('commits an execute or a raise where it has room for one of them', async () => {
    const { buys } = await running(449.99);
    const campaignId = await drafted();

    const replies = await together(
      () => execute(campaignId),
      () => raise(buys[0], 250),
    );

    expect(statuses(replies)).toEqual([200, 402]);
    await isSound(replies[0]?.status === 200 ? 400 : 350);
  });

  test('commits an execute once, asked for by two', async () => {
    await running(1_000);
    const campaignId = await drafted();

    const replies = await together(
      () => execute(campaignId),
      () => execute(campaignId),
    );

    expect(statuses(replies)).toEqual([200, 409]);
    await isSound(400);
  });

  test.each([
    ['confirmed', { status: 'completed', result: {} }, 500],
    ['refused', { status: 'rejected', error: { code: 'POLICY_VIOLATION', message: 'No.' } }, 350],
  ])('keeps a raise that waits, and is %s beside another one', async (__, answer, inTheEnd) => {
    const { campaignId, buys } = await running(500);
    const [ada] = sellers as [FarSeller];
    const [first, second] = buys[0].salesAgentId === ada.agentId ? buys : [buys[1], buys[0]];
    const { decides } = decidesLater(ada);
    done(await raise(first, 250));
    expect(await committed()).toBe(350);
    if (inTheEnd === 500) carryOut(250);
    decides(answer);

    const replies = await together(
      () => raise(second, 250),
      () => refresh(campaignId),
    );

    expect(statuses(replies)).toEqual([200, 200]);
    await isSound(inTheEnd);
  });
});
