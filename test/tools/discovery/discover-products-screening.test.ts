import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const priced = (fixed_price: number) => ({
  pricing_options: [{ pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price }],
});
const shelf = [
  productAt('news.example', 'news', { name: 'Morning news', description: 'Headlines.', ...priced(8) }),
  productAt('bets.example', 'bets', { name: 'Betting tips', description: 'Gambling news.', ...priced(8) }),
  productAt('dear.example', 'dear', { name: 'Evening news', description: 'Long reads.', ...priced(30) }),
];
const plan = (id: string, ...products: string[]) => ({
  proposal_id: id,
  name: id,
  allocations: products.map((product_id) => ({
    product_id,
    allocation_percentage: 100 / products.length,
  })),
});

describe('discover_products with screening and evaluation', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let asked: { buying_mode?: string; refine?: object[] }[];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', shelf);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  beforeEach(() => {
    asked = [];
    answers(() => ({ products: shelf, proposals: [plan('safe', 'news'), plan('risky', 'news', 'bets')] }));
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const answers = (answer: (request: { refine?: object[] }) => object) =>
    far.agent.on('get_products', (request) => {
      asked.push(request);
      return answer(request);
    });
  const discover = (fields: object) =>
    buyer.post('/buyer/discovery/discover-products', {
      advertiserId,
      waitSeconds: 30,
      storefrontIds: [far.storefrontId],
      ...fields,
    });
  const found = async (fields: object) => done(await discover(fields));
  const productsIn = (data: { productGroups: { products: Record<string, unknown>[] }[] }) =>
    data.productGroups.flatMap(({ products }) => products);
  const idsIn = (data: Parameters<typeof productsIn>[0]) =>
    productsIn(data)
      .map(({ productId }) => productId)
      .sort();

  describe('200', () => {
    test('leaves out what the instructions exclude, with every proposal that holds it, and says how it read them', async () => {
      const data = await found({ screening: { instructions: 'No gambling. Be it for us.' } });

      expect(idsIn(data)).toEqual(['dear', 'news']);
      expect(data.proposals).toMatchObject([{ proposalId: 'safe' }]);
      expect(data.screening).toEqual({
        enabled: true,
        status: 'degraded',
        screening_passes: 1,
        candidates_evaluated: 3,
        accepted: 2,
        rejected: 1,
        refining: 0,
        refinement_limit_reached: 0,
        instructions_read: [
          { sentence: 'No gambling.', read_as: ['exclude: gambling'] },
          { sentence: 'Be it for us.', read_as: [] },
        ],
      });
      expect(productsIn(data)[0]?.['screening']).toEqual({
        decision: 'accept',
        evaluated: true,
        confidence: 0.5,
        reasons: [],
      });
      expect(asked).toHaveLength(1);
    });

    test.each(['CPM under 10 euros.', 'Price at most 10 EUR.'])(
      'holds no product against a price in another currency, as in “%s”, and says so',
      async (instructions) => {
        const data = await found({ screening: { instructions } });

        expect(idsIn(data)).toEqual(['bets', 'dear', 'news']);
        expect(data.screening).toMatchObject({
          status: 'degraded',
          rejected: 0,
          instructions_read: [
            {
              sentence: instructions,
              read_as: [],
              not_read: 'A price in EUR, in a session of USD: currencies are never changed into one another.',
            },
          ],
        });
      },
    );

    test.each([
      ['No bets except on football.', 'All of it: what it leaves out or asks for is not certain.'],
      ['There is no need for news.', 'All of it: what it leaves out or asks for is not certain.'],
      [
        'CPM of at least 3 USD.',
        'All of it: a price is read as a ceiling alone, not as a least one or a range.',
      ],
      [
        'CPM between 3 and 10 USD.',
        'All of it: a price is read as a ceiling alone, not as a least one or a range.',
      ],
      ['The and of.', undefined],
    ])('holds no product against “%s”, and says why where it says something', async (sentence, words) => {
      const instructions = { instructions: sentence };
      const data = await found({ screening: instructions, evaluation: instructions });

      expect(idsIn(data)).toEqual(['bets', 'dear', 'news']);
      const read = [{ sentence, read_as: [], ...(words === undefined ? {} : { not_read: words }) }];
      expect(data.screening).toMatchObject({ status: 'degraded', rejected: 0 });
      expect([data.screening.instructions_read, data.evaluation.instructions_read]).toEqual([read, read]);
    });

    test('is the same in pages, and what was left out is in no revision', async () => {
      const { discoveryId, screening } = await found({ screening: { instructions: 'No gambling.' } });

      const page = done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`));
      const told = JSON.stringify(await (await readEvents(server, buyer, { discoveryId })).rest());

      expect(page.screening).toEqual({ ...screening, status: 'complete' });
      expect(idsIn(page)).toEqual(['dear', 'news']);
      expect(told).toContain('Morning news');
      expect(told).not.toContain('Betting');
    });

    test('tells a seller what its products miss, and shows what it brings in their place', async () => {
      answers(({ refine }) => ({
        products: refine ? [productAt('dear.example', 'dear', { ...priced(11) })] : shelf,
      }));

      const data = await found({ screening: { instructions: 'CPM at most 12. No gambling.' } });

      expect(asked[1]).toMatchObject({
        buying_mode: 'refine',
        refine: [{ scope: 'product', product_id: 'dear', action: 'include', ask: 'CPM at most 12.' }],
      });
      expect(idsIn(data)).toEqual(['dear', 'news']);
      expect(productsIn(data).find(({ productId }) => productId === 'dear')).toMatchObject({ cpm: 11 });
      expect(data.screening).toMatchObject({ screening_passes: 2, accepted: 2, rejected: 1 });
    });

    test('gives up after the last round, and asks nobody where there are none', async () => {
      const instructions = 'CPM at most 12.';

      const once = await found({ screening: { instructions } });
      expect(asked).toHaveLength(2);
      expect(once.screening).toMatchObject({ rejected: 1, refinement_limit_reached: 1 });

      asked = [];
      const never = await found({ screening: { instructions, max_refinement_rounds: 0 } });
      expect(asked).toHaveLength(1);
      expect(idsIn(never)).toEqual(['bets', 'news']);
      expect(never.screening).toMatchObject({ rejected: 1, refinement_limit_reached: 0 });
    });

    test('keeps what a seller brought that fails when it is asked again', async () => {
      answers(({ refine }) => {
        if (refine) throw new Error('No refining here.');
        return { products: shelf };
      });

      const data = await found({ screening: { instructions: 'CPM at most 12.' } });

      expect(data.incompleteAgents).toEqual([]);
      expect(idsIn(data)).toEqual(['bets', 'news']);
    });

    test('says that the screening left everything out', async () => {
      const data = await found({ screening: { instructions: 'Only cooking.', max_refinement_rounds: 0 } });

      expect(data.productGroups).toEqual([]);
      expect(data.sellerNotes).toMatchObject([
        { reason: 'screening', message: expect.stringContaining('3 were rejected by the screening') },
      ]);
    });

    test('shows products unjudged, and says so, where no sentence could be read', async () => {
      const data = await found({ screening: { instructions: 'It should be for us.' } });

      expect(idsIn(data)).toEqual(['bets', 'dear', 'news']);
      expect(productsIn(data)[0]?.['screening']).toEqual({
        decision: 'accept',
        evaluated: false,
        confidence: 0,
        reasons: [],
      });
      expect(data.screening).toMatchObject({ status: 'degraded', candidates_evaluated: 0 });
    });

    test('judges and ranks what the screening let through', async () => {
      const data = await found({
        screening: { instructions: 'No gambling.' },
        evaluation: { instructions: 'Prefer morning.', ranking: { instructions: 'Prefer headlines.' } },
        detail: 'compact',
      });

      const news = productsIn(data).find(({ productId }) => productId === 'news');
      expect(news?.['evaluation']).toEqual({
        disposition: 'accept',
        evaluated: true,
        quality_score: 1,
        confidence: 1,
        reasons: ['Holds what is preferred: morning.'],
        enrichment: {
          summary: 'Keeps 1 of 1 rules of the instructions; from 8 USD a thousand.',
          strengths: ['Speaks of morning.', 'It has a fixed price.'],
          concerns: [],
          labels: ['display', 'non_guaranteed'],
        },
        ranking: {
          rank: 1,
          score: 1,
          rationale: 'Holds what is preferred: headlines.',
          provisional: false,
        },
      });
      expect(data.evaluation).toMatchObject({
        status: 'complete',
        evaluation_passes: 1,
        candidates_evaluated: 2,
        ranking_passes: 1,
        candidates_ranked: 2,
      });
    });

    test('evaluates nothing that the screening rejects, though its seller brings it again when it is asked for better', async () => {
      const cheap = shelf.map((product) => ({ ...product, ...priced(4) }));
      const casino = productAt('bets.example', 'casino', { description: 'Gambling at night.', ...priced(4) });
      answers(({ refine }) => ({ products: refine ? [...cheap, casino] : shelf }));

      const data = await found({
        screening: { instructions: 'No gambling.' },
        evaluation: { instructions: 'CPM at most 5.' },
      });
      const told = JSON.stringify(await (await readEvents(server, buyer, data)).rest());

      expect(asked).toHaveLength(2);
      expect(idsIn(data)).toEqual(['dear', 'news']);
      expect(productsIn(data)).toMatchObject([
        { cpm: 4, screening: { decision: 'accept', evaluated: true } },
        { cpm: 4, screening: { decision: 'accept', evaluated: true } },
      ]);
      expect(data.screening).toMatchObject({ candidates_evaluated: 4, accepted: 2, rejected: 2 });
      expect(data.evaluation).toMatchObject({ candidates_evaluated: 2, accepted: 2, rejected: 0 });
      expect(told).not.toContain('Betting');
      expect(told).not.toContain('casino');
    });

    test('shows nothing that a change left out, though its seller brings it again when it is asked for better', async () => {
      answers(() => ({ products: shelf }));
      const { discoveryId } = await found({ evaluation: { instructions: 'CPM at most 12.' } });
      asked = [];

      const again = done(
        await buyer.post('/buyer/discovery/discover-products', {
          discoveryId,
          waitSeconds: 30,
          refine: [
            { scope: 'product', id: 'news', action: 'omit' },
            { scope: 'request', ask: 'More of it' },
          ],
        }),
      );

      expect(asked).toHaveLength(2);
      expect(idsIn(again)).toEqual(['bets']);
    });

    test('drops what its seller makes break the screening when it is asked for better', async () => {
      answers(({ refine }) => ({
        products: refine
          ? [productAt('news.example', 'news', { description: 'Gambling now.', ...priced(4) })]
          : shelf,
      }));

      const data = await found({
        screening: { instructions: 'No gambling.' },
        evaluation: { instructions: 'CPM at most 5.', max_refinement_rounds: 1 },
      });

      expect(idsIn(data)).toEqual([]);
      expect(data.screening).toMatchObject({ candidates_evaluated: 3, accepted: 1, rejected: 2 });
      expect(data.evaluation).toMatchObject({ candidates_evaluated: 1, accepted: 0, rejected: 1 });
    });

    test('evaluates as often as it is told to: the rounds of each answer, and the answers', async () => {
      const other = await farSeller(server, 'Other Media', shelf);
      const instructions = 'CPM at most 12.';
      try {
        const rounds = await found({ evaluation: { instructions } });
        expect(asked).toHaveLength(2);
        expect(rounds.evaluation).toMatchObject({ rejected: 1, refinement_limit_reached: 1 });

        asked = [];
        const none = await found({ evaluation: { instructions, max_refinement_rounds: 0 } });
        expect(asked).toHaveLength(1);
        expect(none.evaluation).toMatchObject({ rejected: 1, refinement_limit_reached: 0 });

        const storefrontIds = [far.storefrontId, other.storefrontId];
        const once = { instructions: 'Prefer morning.', max_evaluation_passes: 1 };
        const first = await found({ storefrontIds, evaluation: once });
        expect(first.evaluation).toMatchObject({ evaluation_passes: 1, candidates_evaluated: 3 });
        const all = await found({ storefrontIds, evaluation: { instructions: 'Prefer morning.' } });
        expect(all.evaluation).toMatchObject({ evaluation_passes: 2, candidates_evaluated: 6 });
      } finally {
        await other.agent.stop();
      }
    });

    test('leaves the enrichment out where it is not wanted', async () => {
      const data = await found({ evaluation: { instructions: 'Prefer morning.', enrichment: false } });

      expect(productsIn(data)[0]?.['evaluation']).not.toHaveProperty('enrichment');
    });

    test('shows the answers beyond max_screening_passes as they are', async () => {
      const other = await farSeller(server, 'Other Media', shelf);
      try {
        const data = await found({
          storefrontIds: [far.storefrontId, other.storefrontId],
          screening: { instructions: 'No gambling.', max_screening_passes: 1 },
        });

        expect(data.screening).toMatchObject({
          status: 'degraded',
          screening_passes: 1,
          candidates_evaluated: 3,
        });
        expect(idsIn(data)).toEqual(['bets', 'dear', 'dear', 'news', 'news']);
      } finally {
        await other.agent.stop();
      }
    });

    test('screens again with what the session was opened with when it is refined', async () => {
      const { discoveryId } = await found({ screening: { instructions: 'No gambling.' } });

      const again = done(
        await buyer.post('/buyer/discovery/discover-products', {
          discoveryId,
          waitSeconds: 30,
          refine: [{ scope: 'request', ask: 'More of it' }],
        }),
      );

      expect(idsIn(again)).toEqual(['dear', 'news']);
      expect(again.screening).toMatchObject({ screening_passes: 1, rejected: 1 });
    });
  });

  describe('400 and 422', () => {
    test('refuses instructions that are empty or too long, and rounds and passes out of bounds', async () => {
      const reply = await discover({
        screening: { instructions: '', max_refinement_rounds: 4, max_screening_passes: 0 },
        evaluation: { instructions: 'x'.repeat(8_001), ranking: { instructions: 'x'.repeat(4_001) } },
      });

      expect(reply.status).toBe(400);
      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'screening.instructions': '1 character at the least.',
          'screening.max_refinement_rounds': '3 at the most.',
          'screening.max_screening_passes': '1 at the least.',
          'evaluation.instructions': '8000 characters at the most.',
          'evaluation.ranking.instructions': '4000 characters at the most.',
        },
      });
    });

    test('refuses other instructions for a session that is open', async () => {
      const { discoveryId } = await found({});

      const reply = await discover({
        discoveryId,
        storefrontIds: undefined,
        screening: { instructions: 'No bets.' },
      });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { screening: 'A session keeps what it was opened with.' },
      });
    });
  });
});
