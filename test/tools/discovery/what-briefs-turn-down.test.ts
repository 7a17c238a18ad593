import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('what a brief, a change or an instruction turns down, at an embedded seller', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    const shelf = (name: string, channels: string[], more: object = {}) =>
      productFields({ name, description: 'For everybody.', channels, ...more });
    const products = [
      shelf('Talk shows', ['podcast']),
      shelf('Racing games', ['gaming']),
      shelf('Premieres', ['ctv']),
      shelf('Lessons', ['display', 'olv']),
      shelf('Sports pages', ['display']),
    ];
    storefrontId = (await openStorefront(await newPerson(server), { products })).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(() => server.stop());

  const discover = async (fields: object) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', {
        ...{ advertiserId, storefrontIds: [storefrontId], waitSeconds: 30 },
        ...fields,
      }),
    );
  const names = (data: { productGroups: { products: { name: string }[] }[] }) =>
    data.productGroups.flatMap(({ products }) => products.map(({ name }) => name)).sort();

  test.each([
    ['Podcasts, no gaming', ['Talk shows']],
    ['Sports without racing', ['Sports pages']],
    ['We avoid gaming.', ['Lessons', 'Premieres', 'Sports pages', 'Talk shows']],
    ['No video.', ['Racing games', 'Sports pages', 'Talk shows']],
    ['Do not miss sports', ['Sports pages']],
    ['No television', ['Lessons', 'Racing games', 'Sports pages', 'Talk shows']],
    // It says what they are, and turns nothing down.
    ['A no frills racing outfit for gaming people', ['Racing games']],
  ])('is not offered for the brief “%s”', async (brief, found) => {
    const data = await discover({ brief });

    expect(names(data)).toEqual(found);
    expect(data).not.toHaveProperty('briefMatched', false);
  });

  test('is not brought by a change that turns it down, and is told as left out', async () => {
    const { discoveryId } = await discover({});

    const data = await discover({
      discoveryId,
      advertiserId: undefined,
      storefrontIds: undefined,
      refine: [
        { scope: 'request', ask: 'Podcast without gaming' },
        { scope: 'request', ask: 'No television' },
      ],
    });

    expect(names(data)).toEqual(['Talk shows']);
    expect(data.refinementApplied).toMatchObject([
      { status: 'applied', notes: expect.stringContaining('Found by: podcast. Left out: gaming.') },
      { status: 'applied', notes: expect.stringContaining('Left out: television.') },
    ]);
  });

  test.each([
    ['No video', ['Racing games', 'Sports pages', 'Talk shows']],
    ['No TV', ['Lessons', 'Racing games', 'Sports pages', 'Talk shows']],
    ['Only audio', ['Talk shows']],
  ])('is screened by the medium it runs on, whatever it is called: “%s”', async (instructions, found) => {
    const data = await discover({ screening: { instructions, max_refinement_rounds: 0 } });

    expect(names(data)).toEqual(found);
  });
});
