import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { discover, type Snapshot } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ALL = Array.from({ length: 230 }, (_, index) => adcpProduct(`far-${index}`));
const FIRST_PAGE = 50;

interface Proposing extends Snapshot {
  readonly proposals?: readonly { readonly proposalId: string }[];
}

interface Page {
  readonly max_results?: number;
  readonly cursor?: string;
}

/** A page of all, the default of AdCP where nothing is asked for. */
function pageOf({ max_results = FIRST_PAGE, cursor = '0' }: Page = {}) {
  const from = Number(cursor);
  const to = from + max_results;
  const more = to < ALL.length ? { has_more: true, cursor: String(to) } : { has_more: false };
  return { products: ALL.slice(from, to), pagination: { ...more, total_count: ALL.length } };
}

describe('a seller that gives its products page by page', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  beforeEach(async () => {
    await far?.agent.stop();
    far = await farSeller(server, 'Far');
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  async function found() {
    const { agentResults, incompleteAgents } = await discover(buyer, advertiserId, [far.storefrontId]);
    const asked = far.agent.calls.filter(({ tool }) => tool === 'get_products').map(({ args }) => args);
    return { products: agentResults?.[0]?.productCount, incompleteAgents, asked };
  }
  const answers = (answer: (page: Page | undefined) => object) =>
    far.agent.on('get_products', ({ pagination }) => answer(pagination as Page | undefined));
  const MISSING = [{ reason: 'upstream_incomplete', incompleteScopes: [{ scope: 'products' }] }];

  test('is asked for all of them, each time for the same', async () => {
    answers(pageOf);

    const { products, incompleteAgents, asked } = await found();

    expect({ products, incompleteAgents }).toEqual({ products: 230, incompleteAgents: [] });
    const pages = asked.map(({ pagination }) => pagination);
    expect(pages).toEqual([
      undefined,
      { max_results: 100, cursor: '50' },
      { max_results: 100, cursor: '150' },
    ]);
    expect(new Set(asked.map((args) => JSON.stringify({ ...args, pagination: 0 }))).size).toBe(1);
  });

  test.each([
    ['fails', () => ({ errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Later.' }] })],
    ['is none', () => ({ oops: true })],
    ['is the first again', () => pageOf()],
  ])('and whose next page %s is shown with the first, and told as incomplete', async (_what, next) => {
    answers((page) => (page === undefined ? pageOf() : next()));

    const { products, incompleteAgents } = await found();

    expect(products).toBe(FIRST_PAGE);
    expect(incompleteAgents).toMatchObject(MISSING);
  });

  test('is not asked on where it does not say how, and told as incomplete', async () => {
    answers(() => ({ ...pageOf(), pagination: { has_more: true } }));

    const { products, incompleteAgents, asked } = await found();

    expect([products, asked.length]).toEqual([FIRST_PAGE, 1]);
    expect(incompleteAgents).toMatchObject(MISSING);
  });

  const plan = (name: string, product_id: string) => ({
    proposal_id: name,
    name,
    allocations: [{ product_id, allocation_percentage: 100 }],
  });
  test('has the proposals of all pages, with products of any, each once', async () => {
    const ofPage = new Map<string | undefined, object[]>([
      [undefined, [plan('first', 'far-229')]],
      ['50', [plan('first', 'far-229'), plan('second', 'far-3')]],
      ['150', [plan('third', 'far-200'), plan('unknown', 'far-999')]],
    ]);
    answers((page) => ({ ...pageOf(page), proposals: ofPage.get(page?.cursor) }));

    const { proposals, incompleteAgents, agentResults }: Proposing = await discover(buyer, advertiserId, [
      far.storefrontId,
    ]);

    expect(proposals?.map(({ proposalId }) => proposalId)).toEqual(['first', 'second', 'third']);
    expect({ incompleteAgents, invalid: agentResults?.[0]?.invalidProposals }).toEqual({
      incompleteAgents: [],
      invalid: 1,
    });
  });

  test('is told as incomplete by what any page says of that', async () => {
    const incomplete = [{ scope: 'pricing', description: 'Rates are still made.' }];
    answers((page) => ({ ...pageOf(page), ...(page?.cursor === '150' ? { incomplete } : {}) }));

    expect((await found()).incompleteAgents).toMatchObject([
      { reason: 'upstream_incomplete', incompleteScopes: incomplete },
    ]);
  });

  test('without an end is asked for so many pages, and told as incomplete', async () => {
    let pages = 0;
    answers(() => ({ products: [], pagination: { has_more: true, cursor: `c${++pages}` } }));

    const { incompleteAgents, asked } = await found();

    expect(asked).toHaveLength(21);
    expect(incompleteAgents).toMatchObject(MISSING);
  });
});

describe('a seller of more products than are read, page by page', () => {
  test('is read so far, also where each page is too large to be read at once', async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', SELLER_PRODUCTS_MAX: '80' };
    const server = await startTestServer({ settings });
    const far = await farSeller(server, 'Far');
    const buyer = await newPerson(server);
    const large = ALL.map((one) => ({ ...one, description: 'x'.repeat(2_000) }));
    far.agent.on('get_products', ({ pagination }) => {
      const page = pageOf(pagination as Page | undefined);
      const from = Number((pagination as Page | undefined)?.cursor ?? 0);
      return { ...page, products: large.slice(from, from + page.products.length) };
    });

    const session = await discover(buyer, await newAdvertiser(buyer), [far.storefrontId]);

    expect(session.agentResults?.[0]?.productCount).toBe(80);
    await server.stop();
    await far.agent.stop();
  });
});
