import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { newPerson, type Person } from '../callers/people.ts';
import { skippingClock } from '../run/skipping-clock.ts';
import { done, newAdvertiser } from '../sellers/market.ts';
import { setNamesFree } from '../sellers/names-set-free.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { faultsOf } from './ledger.ts';
import { type Bought, boughtIn } from './money-world.ts';
import { type SellerOfTwo, sellerOfTwo } from './two-packages.ts';

/** A seller of two products of 100 each, anew for each test, and a campaign of 300 that buys both of it. */
export class WorldOfTwo {
  readonly clock = skippingClock();
  server!: TestServer;
  buyer!: Person;
  seller!: SellerOfTwo;
  buy!: Bought;
  #boundBefore = 0;

  async buys(campaign: object = {}): Promise<void> {
    const { server, clock, buyer, seller } = this;
    const advertiserId = await newAdvertiser(buyer);
    await setNamesFree(server, seller.far.agentId);
    this.#boundBefore = await this.#bound();
    const world = { server, clock, far: seller.far, buyer, advertiserId };
    this.buy = await boughtIn(world, { budget: 300, each: 100, campaign });
  }

  async read() {
    return done(await this.buyer.get(`/buyer/media-buys/${this.buy.mediaBuyId}?detail=full`)).mediaBuy;
  }

  /** Asks the seller where it stands, once it may be asked again. */
  async refresh(): Promise<void> {
    this.clock.skip(60_000);
    done(await this.buyer.get(`/buyer/campaigns/${this.buy.campaignId}/media-buy-status`));
  }

  /** What is bound for the media buy, in USD. */
  async committed(): Promise<number> {
    return Number(((await this.#bound()) - this.#boundBefore).toFixed(2));
  }

  change(wanted: object) {
    const { campaignId, mediaBuyId } = this.buy;
    return this.buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, ...wanted }] });
  }

  /** The changes that its seller was sent. */
  told() {
    return this.seller.far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
  }

  /** Holds the ledger to what the media buys say. */
  async isSound(): Promise<void> {
    expect(await faultsOf(this.server.store.db, this.buyer.organizationId)).toEqual([]);
  }

  async #bound(): Promise<number> {
    const { credit } = done(await this.buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  }
}

/** One for the tests of a group, whose seller takes every change at once. */
export function worldOfTwo(own: Readonly<Record<string, string>> = {}): WorldOfTwo {
  const world = new WorldOfTwo();
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', ...own };
    world.server = await startTestServer({ clock: world.clock, settings });
    world.buyer = await newPerson(world.server);
  });
  afterAll(() => world.server.stop());
  beforeEach(async () => {
    world.seller = await sellerOfTwo(world.server, 100);
    world.seller.takesChanges();
    return () => world.seller.far.agent.stop();
  });
  return world;
}
