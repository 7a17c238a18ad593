import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { eventually } from '../../support/run/eventually.ts';
import { discover } from '../../support/sellers/discovery.ts';
import { connectAgent, done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const REGIONS = { geo_regions: ['US-CA'] };
const WARNING =
  'Product far of Agent cannot be bought with constraints.geo_regions: The seller declares no targeting by geo_regions.';
const DECLARES = 'get_adcp_capabilities';

/** What a seller declared when it was last asked is said by all that read a draft, and nobody waits for the seller. */
describe('a constraint that a seller declared it cannot target', () => {
  let server: TestServer;
  let buyer: Person;
  let seller: Person;
  let agent: SellerAgent;
  let sourceId: string;
  let discoveryId: string;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    seller = await newPerson(server);
    agent = await startSellerAgent([adcpProduct('far')]);
    const source = await connectAgent(seller, agent.url);
    ({ sourceId } = source);
    declares({ geo_regions: false });
    const advertiserId = await newAdvertiser(buyer);
    ({ discoveryId } = await discover(buyer, advertiserId, [source.storefrontId]));
    const products = [{ productId: 'far' }];
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    const draft = { advertiserId, name: 'Winter', flightDates, budget: { total: 100 }, discoveryId };
    ({ campaignId } = done(await buyer.post('/buyer/campaigns', draft)).campaign);
    return () => agent.stop();
  });

  function declares(targeting: unknown, versions = [3]): void {
    const declared = { adcp: { major_versions: versions }, media_buy: { execution: { targeting } } };
    agent.on(DECLARES, () => declared);
  }
  const put = async (changes: object) =>
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, changes)).campaign;
  const read = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const asked = () => agent.calls.filter(({ tool }) => tool === DECLARES).length;

  test('is a warning wherever its draft and its choice are read, also while the seller is away', async () => {
    expect((await put({ constraints: REGIONS })).warnings).toContain(WARNING);
    const times = asked();
    await agent.stop();

    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}?detail=compact`));
    const choice = done(await buyer.get(`/buyer/discovery/${discoveryId}/products`));

    expect((await read()).warnings).toContain(WARNING);
    expect((await put({ name: 'Frost' })).warnings).toContain(WARNING);
    expect(campaign.warnings).toContain(WARNING);
    expect(choice.warnings).toContain(WARNING);
    expect(choice.campaignWarning).toContain(WARNING);
    expect(asked()).toBe(times);
  });

  test('is no warning any more once the campaign asks for something else', async () => {
    await put({ constraints: REGIONS });

    await put({ constraints: { geo_countries: ['US'] } });

    expect((await read()).warnings ?? []).not.toContain(WARNING);
  });

  test('is a warning of a product that was chosen so, with what the seller declared by then', async () => {
    const language = { targetingOverlay: { language: ['en'] } };
    const products = [{ productId: 'far', ...language }];
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    expect((await read()).warnings ?? []).toEqual([]);
    await hears({ language: false });

    expect((await read()).warnings).toContain(
      'Product far of Agent cannot be bought with targetingOverlay.language: The seller declares no targeting by language.',
    );
  });

  test('is forgotten with the address that declared it', async () => {
    await put({ constraints: REGIONS });
    const other = await startSellerAgent([adcpProduct('far')]);
    try {
      done(await seller.put(`/storefront/inventory-sources/${sourceId}`, { endpointUrl: other.url }));

      expect((await read()).warnings ?? []).not.toContain(WARNING);
    } finally {
      await other.stop();
    }
  });

  test('is known of no seller that declares more than is kept', async () => {
    await put({ constraints: REGIONS });
    const more = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`kind_${index}`, true]));
    await hears({ geo_regions: false, more });

    expect((await read()).warnings ?? []).not.toContain(WARNING);
  });

  test('is no reason to ask its seller, which is heard once all the same: it may speak another major version', async () => {
    const other = await startSellerAgent([adcpProduct('far')]);
    other.on(DECLARES, () => ({ adcp: { major_versions: [4] } }));
    try {
      const { storefrontId } = await connectAgent(await newPerson(server), other.url);
      const advertiserId = await newAdvertiser(buyer);
      const session = await discover(buyer, advertiserId, [storefrontId]);
      const choose = { products: [{ productId: 'far' }] };
      const chosen = `/buyer/discovery/${session.discoveryId}/products`;
      done(await buyer.post(chosen, choose));
      done(await buyer.post(chosen, choose));
      const draft = { advertiserId, name: 'New', flightDates, budget: { total: 100 } };

      const { campaign } = done(
        await buyer.post('/buyer/campaigns', { ...draft, discoveryId: session.discoveryId }),
      );

      expect(campaign.warnings).toEqual([
        'Agent speaks another major version of the protocol: what is ordered there could not be changed or stopped.',
      ]);
      expect(other.calls.filter(({ tool }) => tool === DECLARES)).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  test('is a warning beside that of another major version, until its seller is heard to serve this one', async () => {
    const another =
      'Agent speaks another major version of the protocol: what is ordered there could not be changed or stopped.';
    await hears({ geo_regions: false }, [4]);

    expect((await read()).warnings).toEqual([another, WARNING]);
    agent.on(DECLARES, () => ({
      errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Later.', recovery: 'transient' }],
    }));
    await isAsked();
    expect((await read()).warnings).toEqual([another, WARNING]);

    await hears({ geo_regions: false }, [3, 4]);
    expect((await read()).warnings).toEqual([WARNING]);
    await hears({ geo_regions: true }, [2]);
    expect((await read()).warnings).toEqual([another]);
    await hears({ geo_regions: true }, []);
    expect((await read()).warnings ?? []).toEqual([]);
  });

  /** The seller declares this from now on, and is heard over a new connection. */
  async function hears(targeting: object, versions?: number[]): Promise<void> {
    declares(targeting, versions);
    await isAsked();
  }

  async function isAsked(): Promise<void> {
    const before = asked();
    done(await seller.put(`/storefront/inventory-sources/${sourceId}`, { status: 'DISABLED' }));
    done(await seller.put(`/storefront/inventory-sources/${sourceId}`, { status: 'ACTIVE' }));
    await eventually(async () => {
      for (const constraints of [{ geo_countries: ['US'] }, REGIONS]) await put({ constraints });
      expect(asked()).toBeGreaterThan(before);
    });
  }
});
