import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { marketId } from '../../../tools/domain/discovery/market-ids.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const two = [productAt('news.example', 'far-news'), productAt('sport.example', 'far-sport')];

describe('discover_products with refine', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let nearId: string;
  let buyer: Person;
  let advertiserId: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', two);
    const near = await openStorefront(await newPerson(server), {
      name: 'Corner Media',
      products: [
        productFields({ name: 'Kitchen podcast', description: 'Recipes for cooks.', channels: ['podcast'] }),
        productFields({ name: 'Garden podcast', description: 'Plants and soil.', channels: ['podcast'] }),
        productFields({ name: 'Harbour screens', description: 'Boats.', channels: ['dooh'] }),
      ],
    });
    nearId = near.storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const begin = async (fields: object) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30, ...fields }),
    );
  const ask = (refine: readonly object[], fields: object = {}) =>
    buyer.post('/buyer/discovery/discover-products', { discoveryId, waitSeconds: 30, refine, ...fields });
  const refined = async (refine: readonly object[], fields: object = {}) => done(await ask(refine, fields));
  const idsIn = (data: { productGroups: { products: { productId: string }[] }[] }) =>
    data.productGroups.flatMap(({ products }) => products.map(({ productId }) => productId)).sort();
  const namesIn = (data: { productGroups: { products: { name: string }[] }[] }) =>
    data.productGroups.flatMap(({ products }) => products.map(({ name }) => name)).sort();

  describe('of a seller far away', () => {
    beforeEach(async () => {
      far.agent.on('get_products', () => ({ products: two }));
      ({ discoveryId } = await begin({ storefrontIds: [far.storefrontId], brief: 'News and sport' }));
    });

    test('says of what it leaves out and is chosen that it is, for it is bought', async () => {
      const chosen = `/buyer/discovery/${discoveryId}/products`;
      const products = ['far-news', 'far-sport'].map((productId) => ({ productId, budget: 50 }));
      done(await buyer.post(chosen, { products }));
      const draft = { advertiserId, name: 'Winter', flightDates, budget: { total: 100 }, discoveryId };
      const { campaignId } = done(await buyer.post('/buyer/campaigns', draft)).campaign;
      const warningsOfDraft = async () =>
        done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.warnings ?? [];
      const still =
        'Product far-sport is chosen still, though refine left it out: what is chosen is bought. ' +
        'discovery_remove_products takes products out of the choice.';

      const data = await refined([{ scope: 'product', id: 'far-sport', action: 'omit' }]);

      expect(data.guidance).toBe(still);
      expect(done(await buyer.get(chosen)).warnings).toEqual([still]);
      expect(await warningsOfDraft()).toEqual([still]);
      const { storefrontId, agentId } = far;
      const news = { storefrontId, agentId, sessionId: discoveryId, sourceId: 'far-news' };
      const staged = await buyer.post('/buyer/media-buys/batch', {
        productQueryId: discoveryId,
        campaign: { campaignId },
        mode: 'stage',
        selections: [{ kind: 'product', productId: marketId('product', news), budget: 50 }],
      });
      expect(done(staged).warnings).toEqual([still]);
      done(await buyer.delete(chosen, { productIds: ['far-sport'] }));
      expect(done(await buyer.get(chosen)).warnings ?? []).not.toContain(still);
      expect(await warningsOfDraft()).not.toContain(still);
    });

    test('asks the seller to refine, and shows what it brings in place of what it brought before', async () => {
      far.agent.on('get_products', ({ refine }) => ({
        products: [productAt('news.example', 'far-news-video')],
        refinement_applied: [
          { scope: 'request', status: 'applied', notes: `Took ${JSON.stringify(refine)}.` },
        ],
      }));

      const data = await refined([{ scope: 'request', ask: 'More video' }]);

      expect(far.agent.calls.at(-1)?.args).toMatchObject({
        buying_mode: 'refine',
        refine: [{ scope: 'request', ask: 'More video' }],
      });
      expect(far.agent.calls.at(-1)?.args).not.toHaveProperty('brief');
      expect(idsIn(data)).toEqual(['far-news-video']);
      expect(data).toMatchObject({
        discoveryId,
        revision: 2,
        resultsComplete: true,
        totalGroups: 1,
        summary: { totalProducts: 1 },
        refinementApplied: [
          {
            scope: 'request',
            status: 'applied',
            notes: 'Far Media: Took [{"scope":"request","ask":"More video"}].',
          },
        ],
      });
    });

    test('leaves a product out without asking the seller', async () => {
      const asked = far.agent.calls.length;

      const data = await refined([{ scope: 'product', id: 'far-sport', action: 'omit' }]);

      expect(far.agent.calls).toHaveLength(asked);
      expect(idsIn(data)).toEqual(['far-news']);
      expect(data.refinementApplied).toEqual([{ scope: 'product', id: 'far-sport', status: 'applied' }]);
    });

    test('leaves it out also where the seller brings it all the same', async () => {
      const data = await refined([
        { scope: 'request', ask: 'Cheaper' },
        { scope: 'product', id: 'far-sport', action: 'omit' },
      ]);

      expect(far.agent.calls.at(-1)?.args['refine']).toEqual([
        { scope: 'request', ask: 'Cheaper' },
        { scope: 'product', product_id: 'far-sport', action: 'omit' },
      ]);
      expect(idsIn(data)).toEqual(['far-news']);
      expect(data.refinementApplied).toMatchObject([
        { scope: 'request', status: 'partial', notes: expect.stringContaining('does not say') },
        { scope: 'product', id: 'far-sport', status: 'applied' },
      ]);
    });

    test.each([
      ['asked for nothing else', []],
      ['that brings nothing more', [{ scope: 'request', ask: 'Cheaper' }]],
    ])('says of a seller %s that its products were omitted, not that it has none', async (_, more) => {
      far.agent.on('get_products', () => ({ products: [] }));

      const data = await refined([
        ...more,
        { scope: 'product', id: 'far-news', action: 'omit' },
        { scope: 'product', id: 'far-sport', action: 'omit' },
      ]);

      expect(data.productGroups).toEqual([]);
      expect(data.sellerNotes).toEqual([
        {
          agentId: far.agentId,
          storefrontId: far.storefrontId,
          storefrontName: 'Far Media',
          reason: 'refine',
          message: 'Its products are not shown: 2 were omitted by refine.',
        },
      ]);
    });

    test('keeps a product that is to stay and does not come back', async () => {
      far.agent.on('get_products', () => ({ products: [adcpProduct('far-new')] }));

      const data = await refined([{ scope: 'product', id: 'far-news', action: 'include' }]);

      expect(idsIn(data)).toEqual(['far-new', 'far-news']);
      expect(data.refinementApplied).toMatchObject([{ id: 'far-news', status: 'partial' }]);
    });

    test('says of a product that comes back otherwise than was asked for that the filters leave it out', async () => {
      ({ discoveryId } = await begin({ storefrontIds: [far.storefrontId], channels: ['display'] }));
      far.agent.on('get_products', () => ({
        products: [productAt('news.example', 'far-news', { channels: ['ctv'] })],
        refinement_applied: [{ scope: 'product', product_id: 'far-news', status: 'applied', notes: 'Done.' }],
      }));

      const data = await refined([
        { scope: 'product', id: 'far-news', action: 'include', ask: 'On screens' },
      ]);

      expect(idsIn(data)).toEqual(['far-news']);
      const notes =
        'Far Media: As the seller returned it, the filters of the session leave it out: it is shown as it was.';
      expect(data.refinementApplied).toEqual([
        { scope: 'product', id: 'far-news', status: 'partial', notes },
      ]);
    });

    test('keeps everything where the seller fails, and says so', async () => {
      far.agent.on('get_products', () => ({
        adcp_error: { code: 'INVALID_REQUEST', message: 'No refine.' },
      }));

      const data = await refined([{ scope: 'request', ask: 'Cheaper' }]);

      expect(idsIn(data)).toEqual(['far-news', 'far-sport']);
      expect(data).toMatchObject({
        resultsComplete: true,
        incompleteAgents: [{ agentId: far.agentId, reason: 'error' }],
        refinementApplied: [{ status: 'unable', notes: 'Far Media: INVALID_REQUEST: No refine.' }],
      });
    });

    test('counts how long a seller was waited for from when it was asked once more', async () => {
      far.agent.on('get_products', () => ({ adcp_error: { code: 'POLICY', message: 'No.' } }));
      clock.skip(20 * 60_000);

      const { incompleteAgents } = await refined([{ scope: 'request', ask: 'Cheaper' }]);

      const events = await buyer.get(`/buyer/discovery/${discoveryId}/events?sinceRevision=1`);
      const payload = JSON.parse(/^data: (.*)$/m.exec(events.text)?.[1] ?? '{}');
      for (const [{ waitSeconds }] of [incompleteAgents, payload.incompleteAgents]) {
        expect(waitSeconds).toBeLessThan(20 * 60);
      }
    });

    test('tells streams and webhooks of groups that are gone, without products', async () => {
      await refined([{ scope: 'product', id: 'far-sport', action: 'omit' }]);

      const events = await buyer.get(`/buyer/discovery/${discoveryId}/events?sinceRevision=1`);
      const payload = JSON.parse(/^data: (.*)$/m.exec(events.text)?.[1] ?? '{}');

      expect(payload).toMatchObject({ revision: 2, resultsComplete: true });
      expect(
        payload.productGroups.map((group: { groupName: string; products: object[] }) => [
          group.groupName,
          group.products.length,
        ]),
      ).toEqual([
        ['news.example', 1],
        ['sport.example', 0],
      ]);
    });

    test('goes on from what the round before has left', async () => {
      await refined([{ scope: 'product', id: 'far-sport', action: 'omit' }]);
      far.agent.on('get_products', () => ({ products: [...two, adcpProduct('far-new')] }));

      const data = await refined([{ scope: 'product', id: 'far-news', action: 'more_like_this' }]);

      expect(idsIn(data)).toEqual(['far-new', 'far-news', 'far-sport']);
      expect(data.revision).toBe(3);
      expect(data.refinementApplied).toHaveLength(1);
    });

    test('is refused for a product that the session does not have, with every such place', async () => {
      const refusal = await ask([
        { scope: 'product', id: 'elsewhere', action: 'omit' },
        { scope: 'request', ask: 'Cheaper' },
        { scope: 'proposal', id: 'none', action: 'finalize' },
      ]);

      expectRefusal(refusal, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'refine.0.id': 'This session has no such product.',
          'refine.2.id': 'This session has no such proposal.',
        },
      });
    });

    test('is refused of what another entry leaves out, and changes nothing', async () => {
      const refusal = await ask([
        { scope: 'product', id: 'far-news', action: 'include' },
        { scope: 'product', id: 'far-news', action: 'omit' },
        { scope: 'product', id: 'far-news', action: 'more_like_this', ask: 'Cheaper' },
        { scope: 'request', ask: 'Cheaper' },
      ]);

      const message = 'Another entry of refine leaves it out.';
      expectRefusal(refusal, 400, {
        code: 'VALIDATION_ERROR',
        at: { 'refine.0.id': message, 'refine.2.id': message },
      });
      const data = done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`));
      expect(data.revision).toBe(1);
      expect(data).not.toHaveProperty('refinementApplied');
    });

    test('is refused without a session', async () => {
      const refusal = await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        refine: [{ scope: 'request', ask: 'Cheaper' }],
      });

      expectRefusal(refusal, 400, {
        code: 'VALIDATION_ERROR',
        at: { refine: 'It changes what a session has found: give its discoveryId.' },
      });
    });

    test('is taken once of those who refine at once', async () => {
      const replies = await Promise.all(
        [1, 2, 3].map((number) => ask([{ scope: 'request', ask: `Cheaper ${number}` }])),
      );

      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    });

    test('is refused while the session collects', async () => {
      let answer: (value: object) => void = () => {};
      far.agent.on('get_products', () => new Promise((resolve) => (answer = resolve)));
      const calls = far.agent.calls.length;
      await refined([{ scope: 'request', ask: 'Cheaper' }], { waitSeconds: 0 });

      const refusal = await ask([{ scope: 'request', ask: 'Dearer' }]);

      expectRefusal(refusal, 409, {
        code: 'CONFLICT',
        words: 'The session still collects: its sellers are being asked.',
      });
      await far.agent.called('get_products', calls + 1);
      answer({ products: two });
    });
  });

  describe('of the embedded seller', () => {
    beforeEach(async () => {
      ({ discoveryId } = await begin({ storefrontIds: [nearId], brief: 'Recipes' }));
    });

    test('finds more by the words of the request', async () => {
      const data = await refined([{ scope: 'request', ask: 'Boats as well' }]);

      expect(namesIn(data)).toEqual(['Harbour screens', 'Kitchen podcast']);
      expect(data.refinementApplied).toMatchObject([{ status: 'applied' }]);
    });

    test('finds products that share words with one', async () => {
      const { productGroups } = done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`));
      const [kitchen] = idsIn({ productGroups });

      const data = await refined([{ scope: 'product', id: kitchen ?? '', action: 'more_like_this' }]);

      expect(namesIn(data)).toEqual(['Garden podcast', 'Kitchen podcast']);
    });

    test('says what it has nothing for', async () => {
      const data = await refined([{ scope: 'request', ask: 'Volcanoes' }]);

      expect(namesIn(data)).toEqual(['Kitchen podcast']);
      expect(data.refinementApplied).toMatchObject([{ status: 'unable' }]);
    });
  });

  test('asks only the sellers whose products are meant; the others keep theirs', async () => {
    far.agent.on('get_products', () => ({ products: two }));
    ({ discoveryId } = await begin({ storefrontIds: [far.storefrontId, nearId], brief: 'Recipes' }));
    far.agent.on('get_products', () => ({ products: [adcpProduct('far-new')] }));

    const data = await refined([{ scope: 'product', id: 'far-news', action: 'more_like_this' }]);

    expect(namesIn(data)).toEqual(['Kitchen podcast', 'Product far-new', 'Product far-news']);
  });

  describe('of what was found more than 30 minutes ago', () => {
    const MINUTE_MS = 60_000;
    const goOn = async () =>
      done(await buyer.post('/buyer/discovery/discover-products', { discoveryId, waitSeconds: 30 }));
    beforeEach(async () => {
      far.agent.on('get_products', () => ({ products: two }));
      ({ discoveryId } = await begin({ storefrontIds: [far.storefrontId], brief: 'News and sport' }));
      far.agent.on('get_products', () => ({ products: [adcpProduct('far-new')] }));
    });

    test('shows it as it is before then, without asking anybody', async () => {
      const asked = far.agent.calls.length;
      clock.skip(29 * MINUTE_MS);

      expect(idsIn(await goOn())).toEqual(['far-news', 'far-sport']);
      expect(far.agent.calls).toHaveLength(asked);
    });

    test('asks the sellers the same again when the session is gone on with', async () => {
      clock.skip(31 * MINUTE_MS);

      const data = await goOn();

      expect(far.agent.calls.at(-1)?.args).toMatchObject({ buying_mode: 'brief', brief: 'News and sport' });
      expect(idsIn(data)).toEqual(['far-new']);
      expect(data).not.toHaveProperty('refinementApplied');
      expect(idsIn(await goOn())).toEqual(['far-new']);
    });

    test('is left as it is by whoever only reads', async () => {
      clock.skip(31 * MINUTE_MS);
      const asked = far.agent.calls.length;

      const data = done(await buyer.get(`/buyer/discovery/${discoveryId}/discover-products`));

      expect(idsIn(data)).toEqual(['far-news', 'far-sport']);
      expect(far.agent.calls).toHaveLength(asked);
    });
  });
});

describe('discover_products of a session that was refined again and again', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', DISCOVERY_BYTES_PER_SESSION: '65536' },
    });
    const description = 'A long one. '.repeat(60);
    const products = Array.from({ length: 60 }, (_, index) => adcpProduct(`far-${index}`, { description }));
    far = await farSeller(server, 'Far Media', products);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  test('asks no seller any more once its revisions take the room it has, and is shown as it is', async () => {
    const ask = (fields: object) =>
      buyer.post('/buyer/discovery/discover-products', { waitSeconds: 30, ...fields });
    const { discoveryId } = done(await ask({ advertiserId, storefrontIds: [far.storefrontId] }));
    const refine = [{ scope: 'request', ask: 'Cheaper' }];

    let reply = await ask({ discoveryId, refine });
    let rounds = 0;
    while (reply.status === 200 && rounds < 20) {
      rounds += 1;
      reply = await ask({ discoveryId, refine });
    }
    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'The session has been refined so often that its revisions take the room it has.',
    });
    expect(rounds).toBeGreaterThan(0);
    const { length } = far.agent.calls;
    clock.skip(40 * 60_000);
    const shown = await ask({ discoveryId });

    expect(shown.status).toBe(200);
    expect(shown.body.data.productGroups).not.toEqual([]);
    expect(far.agent.calls).toHaveLength(length);
  });
});

describe('discover_products that goes on with what was found more than 30 minutes ago', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', DISCOVERY_SESSIONS_OPEN: '1' },
    });
    far = await farSeller(server, 'Far Media', two);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  test('shows it as it is while the account has no room for another round', async () => {
    const ask = (fields: object) => buyer.post('/buyer/discovery/discover-products', fields);
    const { discoveryId } = done(await ask({ advertiserId, waitSeconds: 30 }));
    clock.skip(31 * 60_000);
    const calls = far.agent.calls.length;
    const held = answersLater(far, { products: two });
    done(await ask({ advertiserId, waitSeconds: 0 }));
    await far.agent.called('get_products', calls + 1);

    const shown = await ask({ discoveryId, waitSeconds: 0 });

    held.open();
    expect(shown.status).toBe(200);
    expect(shown.body.data).toMatchObject({ revision: 1, resultsComplete: true, totalGroups: 2 });
  });
});
