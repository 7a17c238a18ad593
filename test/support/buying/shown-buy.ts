import { newPerson, type Person } from '../callers/people.ts';
import { type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { type Draft, done, draftCampaign, executed, newAdvertiser } from '../sellers/market.ts';
import { adcpProduct } from '../sellers/seller-agent.ts';
import type { TestServer } from '../server/server.ts';
import { faultsOf } from './ledger.ts';

/** A buy of 100 USD at a seller of its own that takes every order and change, and shows what a test makes it show. */
export class ShownBuy {
  /** What the seller shows of the buy, be it more than once. */
  listed: object[] = [];
  /** What it reports of it. */
  reported: object[] = [];
  buyer!: Person;
  campaignId!: string;
  mediaBuyId!: string;
  readonly far: FarSeller;
  readonly #server: TestServer;

  private constructor(server: TestServer, far: FarSeller) {
    this.#server = server;
    this.far = far;
  }

  static async at(server: TestServer): Promise<ShownBuy> {
    const far = await farSeller(server, 'Far', [adcpProduct('far-1')]);
    const it = new ShownBuy(server, far);
    it.listed = [it.entry()];
    far.agent.on('create_media_buy', () => it.listed[0]);
    far.agent.on('update_media_buy', () => it.listed[0]);
    far.agent.on('get_media_buys', () => ({ media_buys: it.listed }));
    far.agent.on('get_media_buy_delivery', () => ({ currency: 'USD', media_buy_deliveries: it.reported }));
    return it;
  }

  part(fields: object = {}) {
    return { package_id: 'pkg_1', product_id: 'far-1', budget: 100, ...fields };
  }

  entry(fields: object = {}) {
    return { media_buy_id: 'far_buy', status: 'active', packages: [this.part()], ...fields };
  }

  async bought(draft: Partial<Draft> = {}): Promise<this> {
    this.buyer = await newPerson(this.#server);
    const advertiserId = await newAdvertiser(this.buyer);
    const storefrontIds = [this.far.storefrontId];
    const fields = { advertiserId, storefrontIds, budget: 500, ...draft };
    ({ campaignId: this.campaignId } = await draftCampaign(this.buyer, fields));
    this.mediaBuyId = await executed(this.buyer, this.campaignId);
    return this;
  }

  get path(): string {
    return `/buyer/media-buys/${this.mediaBuyId}`;
  }

  async read() {
    return done(await this.buyer.get(`${this.path}?detail=full`)).mediaBuy;
  }

  async packages() {
    return done(await this.buyer.get(`${this.path}/packages`)).packages;
  }

  async refresh() {
    return done(await this.buyer.get(`/buyer/campaigns/${this.campaignId}/media-buy-status`)).media_buys[0];
  }

  /** What is bound, which the ledger and the media buys say alike. */
  async bound(): Promise<number> {
    const faults = await faultsOf(this.#server.store.db, this.buyer.organizationId);
    if (faults.length > 0) throw new Error(`The ledger is wrong: ${faults.join(' ')}`);
    const { credit } = done(await this.buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  }
}
