import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { discover, productIdsIn } from '../support/sellers/discovery.ts';
import { type HonestMarket, honestMarket } from '../support/sellers/honest-market.ts';
import { connectAgent } from '../support/sellers/market.ts';
import { adcpProduct, listen, startSellerAgent } from '../support/sellers/seller-agent.ts';

const LEVELS = 20_000;
const MARK = 'levels within levels';

const PRICE = { pricing_option_id: 'o', pricing_model: 'cpm', currency: 'USD', fixed_price: 5 };
const PROPERTY = { publisher_domain: 'far.example', selection_type: 'all' };

const lists = `${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}`;
const objects = `${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;

describe('a seller whose answer is nested without end', () => {
  let market: HonestMarket;
  beforeAll(async () => {
    market = await honestMarket();
  });
  afterAll(() => market.stop());

  /** A seller whose structured answers have `nested` where they would have the mark. */
  async function nesting(nested: string, products: readonly object[]): Promise<string> {
    const seller = await startSellerAgent(products);
    const proxy = await listen((req, res) => {
      const chunks: Buffer[] = [];
      req
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', async () => {
          const headers = { 'content-type': 'application/json', accept: String(req.headers.accept) };
          const answer = await fetch(seller.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
          const type = answer.headers.get('content-type') ?? 'text/plain';
          const text = await answer.text();
          res.writeHead(answer.status, { 'content-type': type }).end(text.replaceAll(`"${MARK}"`, nested));
        });
    });
    market.opened.push(proxy.stop, seller.stop);
    return `${proxy.url}/mcp`;
  }

  /** What a session says of it beside an honest one: its products, and why others are missing. */
  async function discoverAt(url: string, auth: Record<string, unknown> = {}) {
    const { storefrontId, agentId } = await connectAgent(await newPerson(market.server), url, auth);
    const snapshot = await discover(market.buyer, market.advertiserId, [market.honestId, storefrontId]);
    const sold = productIdsIn(snapshot);
    expect(sold).toContain('honest-1');
    const row = snapshot.agentResults?.find((result) => result.agentId === agentId);
    return { sold: sold.filter((id) => id !== 'honest-1').sort(), row, missing: snapshot.incompleteAgents };
  }

  test.each([
    ['lists in a forecast', { forecast: { points: MARK } }, lists],
    ['objects in a forecast', { forecast: { ext: MARK } }, objects],
    ['lists in a card', { product_card: { manifest: { a: MARK } } }, lists],
    ['lists in what it measures', { outcome_measurement: { ext: MARK } }, lists],
    ['objects in a field of its own', { ext: MARK }, objects],
    [
      'lists beside its prices',
      { pricing_options: [{ ...PRICE, ext: MARK }], publisher_properties: [{ ...PROPERTY, ext: MARK }] },
      lists,
    ],
  ])('by %s keeps all its products', async (_, fields, nested) => {
    const url = await nesting(nested, [adcpProduct('deep-1', fields), adcpProduct('flat-1')]);

    const { sold, row, missing } = await discoverAt(url);

    expect(sold).toEqual(['deep-1', 'flat-1']);
    expect(row).toMatchObject({ success: true, productCount: 2, invalidProducts: 0 });
    expect(missing).toEqual([]);
  });

  test('and has a credential, which is looked for in all it says, keeps its products too', async () => {
    const url = await nesting(lists, [adcpProduct('deep-1', { ext: MARK })]);

    const { sold, missing } = await discoverAt(url, {
      authenticationType: 'API_KEY',
      auth: { type: 'bearer', token: 'a-credential-of-its-own' },
    });

    expect([sold, missing]).toEqual([['deep-1'], []]);
  });

  test.each([
    ['lists as a name', { name: MARK }],
    ['lists for its prices', { pricing_options: MARK }],
  ])('by %s loses the product that cannot be sold without, which is counted', async (_, fields) => {
    const url = await nesting(lists, [adcpProduct('deep-1', fields), adcpProduct('flat-1')]);

    const { sold, row } = await discoverAt(url);

    expect(sold).toEqual(['flat-1']);
    expect(row).toMatchObject({ success: true, productCount: 1, invalidProducts: 1 });
  });

  test('in all it offers is told in its row what was wrong', async () => {
    const url = await nesting(lists, [adcpProduct('deep-1', { name: MARK })]);

    const { sold, missing } = await discoverAt(url);

    expect(sold).toEqual([]);
    expect(missing).toMatchObject([
      { reason: 'invalid_response', message: 'The product in the answer is not valid.' },
    ]);
  });
});
