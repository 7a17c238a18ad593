import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { gate } from '../../support/run/gate.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const asAgent = ({ agentId }: FarSeller) => ({ agentId, agentName: 'Agent' });
/** As replies name it; events leave the storefronts out. */
const asSeller = (far: FarSeller) => ({
  ...asAgent(far),
  storefronts: [{ storefrontId: far.storefrontId, storefrontName: far.name }],
});

describe('discover_products, landing by landing', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let cem: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
    bea = await farSeller(server, 'Bea');
    cem = await farSeller(server, 'Cem');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => {
    for (const { agent } of [ada, bea, cem]) agent.on('get_products', () => ({ products: [] }));
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea, cem].map(({ agent }) => agent.stop()));
  });

  const begin = async (sellers: readonly FarSeller[], fields: object = {}) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        storefrontIds: sellers.map(({ storefrontId }) => storefrontId),
        waitSeconds: 0,
        ...fields,
      }),
    );
  const browse = async (discoveryId: string, query = '') =>
    done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products${query}`));

  describe('200', () => {
    test('with waitMode long a call waits for the last seller, and with quick for what has landed', async () => {
      const first = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
      const { discoveryId } = await begin([ada], { waitMode: 'quick' });
      const path = `/buyer/discovery/${discoveryId}`;

      const opened = buyer.post(`${path}/discover-products`, { waitMode: 'long' });
      const browsed = browse(discoveryId, '?waitMode=long');
      expect(await browse(discoveryId, '?waitMode=quick')).toMatchObject({ resultsComplete: false });
      expect(await browse(discoveryId, '?waitMode=long&waitSeconds=0')).toMatchObject({
        resultsComplete: false,
      });
      first.open();

      expect(done(await opened)).toMatchObject({ resultsComplete: true, totalGroups: 1 });
      expect(await browsed).toMatchObject({ resultsComplete: true, totalGroups: 1 });
    });

    test('says how many storefronts are through while it collects, and nothing of it once it is complete', async () => {
      const first = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
      const second = answersLater(bea, { products: [productAt('bea.example', 'bea-1')] });

      const { discoveryId, ...opened } = await begin([ada, bea]);
      const events = await readEvents(server, buyer, { discoveryId });
      first.open();
      await events.next();
      const { progress: halfway } = await browse(discoveryId);
      second.open();
      await events.rest();
      const complete = await browse(discoveryId);

      expect(opened).toMatchObject({
        retryWithLongerWaitAvailable: true,
        progress: { respondedStorefrontCount: 0, totalStorefrontCount: 2, waitSeconds: 1 },
      });
      expect(halfway).toMatchObject({ respondedStorefrontCount: 1, totalStorefrontCount: 2 });
      expect(complete).toMatchObject({ resultsComplete: true });
      expect(complete).not.toHaveProperty('progress');
      expect(complete).not.toHaveProperty('retryWithLongerWaitAvailable');
    });

    test('starts at revision 0 with every seller pending, and each landing is the next revision', async () => {
      const first = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
      const second = answersLater(bea, { errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Closed.' }] });
      const third = answersLater(cem, { products: [productAt('cem.example', 'cem-1')] });

      const opened = await begin([ada, bea, cem]);
      expect(opened).toMatchObject({
        revision: 0,
        resultsComplete: false,
        productGroups: [],
        totalGroups: 0,
      });
      expect(opened.pendingAgents).toEqual([ada, bea, cem].map(asSeller));
      expect(opened.incompleteAgents).toEqual([]);
      const { discoveryId } = opened;
      const events = await readEvents(server, buyer, { discoveryId });

      third.open();
      expect(await events.next()).toMatchObject({ event: 'revision', id: '1' });
      const one = await browse(discoveryId);
      expect(one).toMatchObject({
        revision: 1,
        resultsComplete: false,
        totalGroups: 1,
        incompleteAgents: [],
      });
      expect(one.pendingAgents).toEqual([ada, bea].map(asSeller));
      expect(one.productGroups).toMatchObject([
        { groupId: `${cem.agentId}:cem.example`, storefrontName: cem.name },
      ]);

      second.open();
      expect(await events.next()).toMatchObject({ event: 'revision', id: '2' });
      const two = await browse(discoveryId);
      expect(two).toMatchObject({ revision: 2, resultsComplete: false, totalGroups: 1 });
      expect(two.pendingAgents).toEqual([asSeller(ada)]);
      expect(two.incompleteAgents).toEqual([
        {
          ...asSeller(bea),
          reason: 'error',
          responseTimeMs: expect.any(Number),
          waitSeconds: expect.any(Number),
          message: 'SERVICE_UNAVAILABLE: Closed.',
        },
      ]);

      first.open();
      expect(await events.next()).toMatchObject({ event: 'complete', id: '3' });
      const three = await browse(discoveryId);
      expect(three).toMatchObject({ revision: 3, resultsComplete: true, totalGroups: 2, pendingAgents: [] });
      expect(three.incompleteAgents).toEqual(two.incompleteAgents);
      expect(await events.next()).toBeUndefined();
    });

    test('keeps the id, the place and the products of a group in every later revision', async () => {
      const first = answersLater(ada, {
        products: [
          productAt('one.example', 'a'),
          productAt('two.example', 'b'),
          productAt('one.example', 'c'),
        ],
      });
      const second = answersLater(bea, { products: [productAt('one.example', 'a')] });
      const { discoveryId } = await begin([ada, bea]);
      const events = await readEvents(server, buyer, { discoveryId });

      first.open();
      const landed = await events.next();
      const early = await browse(discoveryId);
      second.open();
      await events.rest();
      const late = await browse(discoveryId);

      const ids = (groups: readonly { groupId: string }[]) => groups.map(({ groupId }) => groupId);
      expect(ids(early.productGroups)).toEqual([`${ada.agentId}:one.example`, `${ada.agentId}:two.example`]);
      expect(ids(landed?.payload.productGroups)).toEqual(ids(early.productGroups));
      expect(late.productGroups.slice(0, 2)).toEqual(early.productGroups);
      // Two sellers of one publisher are two groups: what is bought of one is not bought of the other.
      expect(ids(late.productGroups).slice(2)).toEqual([`${bea.agentId}:one.example`]);
    });

    test('answers as soon as the last seller has landed, however long it was told to wait', async () => {
      const held = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
      const answer = begin([ada], { waitSeconds: 30 });
      await ada.agent.called('get_products', ada.agent.calls.length + 1);

      held.open();

      expect(await answer).toMatchObject({ revision: 1, resultsComplete: true, totalGroups: 1 });
    });

    test('keeps the sessions of one advertiser apart, each with its own revisions', async () => {
      const gates = { red: gate(), blue: gate() };
      ada.agent.on('get_products', async ({ brief }) => {
        await (brief === 'red' ? gates.red : gates.blue).passed;
        return { products: [productAt('ada.example', `ada-${brief}`)] };
      });
      const [red, blue] = await Promise.all([
        begin([ada], { brief: 'red' }),
        begin([ada], { brief: 'blue' }),
      ]);
      expect(red.discoveryId).not.toBe(blue.discoveryId);
      const redEvents = await readEvents(server, buyer, red);
      const blueEvents = await readEvents(server, buyer, blue);

      gates.blue.open();
      const [blueLanding] = await blueEvents.rest();
      expect(await browse(red.discoveryId)).toMatchObject({ revision: 0, resultsComplete: false });
      gates.red.open();
      const [redLanding] = await redEvents.rest();

      expect(blueLanding?.payload).toMatchObject({ discoveryId: blue.discoveryId, revision: 1 });
      expect(redLanding?.payload).toMatchObject({ discoveryId: red.discoveryId, revision: 1 });
      const found = await browse(red.discoveryId);
      expect(found.productGroups[0].products).toMatchObject([{ productId: 'ada-red' }]);
    });

    test('keeps the valid products of an answer and counts the others', async () => {
      ada.agent.on('get_products', () => ({
        products: [productAt('ada.example', 'ada-1'), { product_id: 'half' }, 'no product', null, 7],
      }));

      const found = await begin([ada], { waitSeconds: 30, debug: true });

      expect(found.summary.totalProducts).toBe(1);
      expect(found.incompleteAgents).toEqual([]);
      expect(found.agentResults).toMatchObject([
        { ...asAgent(ada), success: true, productCount: 1, invalidProducts: 4 },
      ]);
    });

    test('names a seller whose products are all invalid as invalid_response', async () => {
      ada.agent.on('get_products', () => ({ products: [{ product_id: 'half' }, null] }));

      const found = await begin([ada], { waitSeconds: 30 });

      expect(found).toMatchObject({ resultsComplete: true, totalGroups: 0 });
      expect(found.incompleteAgents).toEqual([
        {
          ...asSeller(ada),
          reason: 'invalid_response',
          responseTimeMs: expect.any(Number),
          waitSeconds: 1,
          message: 'None of the 2 products in the answer is valid.',
        },
      ]);
    });

    test('names a seller that wants another credential as auth_required', async () => {
      ada.agent.on('get_products', () => ({
        adcp_error: { code: 'AUTH_REQUIRED', message: 'Who are you?' },
      }));

      const found = await begin([ada], { waitSeconds: 30 });

      expect(found.incompleteAgents).toMatchObject([
        { ...asSeller(ada), reason: 'auth_required', responseTimeMs: expect.any(Number) },
      ]);
    });

    test('completes with no products when every seller has none', async () => {
      const found = await begin([ada, bea, cem], { waitSeconds: 30 });

      expect(found).toMatchObject({ resultsComplete: true, totalGroups: 0, hasMoreGroups: false });
      expect(found.summary).toEqual({ totalProducts: 0, publishersCount: 0 });
      expect(found.incompleteAgents).toEqual([]);
    });
  });
});
