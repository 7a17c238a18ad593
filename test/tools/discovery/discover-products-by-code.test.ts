import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { offerFields, type Planned, planned } from '../../support/sellers/offers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const NEW = '/buyer/discovery/discover-products';

describe('discover_products with a proposalCode', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let made: Planned;
  let guest: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    made = await planned(server);
    guest = await newPerson(server);
    advertiserId = await newAdvertiser(guest);
  });
  afterAll(async () => {
    await server.stop();
    await made.agent.stop();
  });

  const offer = async (changes: object = {}) =>
    done(
      await made.seller.post('/storefront/proposals', {
        ...offerFields(made, guest),
        expiresAt: new Date(clock.now() + 3_600_000).toISOString(),
        ...changes,
      }),
    );
  const open = (fields: object, by = guest) => by.post(NEW, { advertiserId, waitSeconds: 30, ...fields });
  const offered = async (id: number) => done(await made.seller.get(`/storefront/proposals/${id}`));
  const draftOf = async (proposalCode: string) => {
    const { discoveryId } = done(await open({ proposalCode }));
    const applied = { proposalId: 'balanced', totalBudget: 1_000 };
    done(await guest.post(`/buyer/discovery/${discoveryId}/apply-proposal`, applied));
    const campaign = { advertiserId, name: 'By code', discoveryId, flightDates, budget: { total: 1_000 } };
    return done(await guest.post('/buyer/campaigns', campaign)).campaign.campaignId;
  };

  const takesOrders = () =>
    made.agent.on('create_media_buy', ({ packages = [] }: { packages?: object[] }) => ({
      media_buy_id: 'far-1',
      status: 'active',
      packages: packages.map((_, index) => ({ package_id: `p${index}` })),
    }));

  test('200: shows what the seller offers and nothing else, whatever is asked, and asks nobody', async () => {
    const { id, proposalCode } = await offer();
    let asked = 0;
    made.agent.on('get_products', () => {
      asked += 1;
      return { products: [] };
    });

    const data = done(
      await open({ proposalCode: proposalCode.toLowerCase(), channels: ['print'], publisherDomain: 'none' }),
    );

    expect(asked).toBe(0);
    expect(data).toMatchObject({
      resultsComplete: true,
      totalGroups: 2,
      proposals: [{ proposalId: 'balanced', salesAgentId: made.agentId }],
    });
    expect(data.productGroups.map(({ groupName }: { groupName: string }) => groupName)).toEqual([
      'news.example',
      'sport.example',
    ]);
    expect(await offered(id)).toMatchObject({
      status: 'active',
      firstViewedAt: expect.any(String),
      lastViewedAt: expect.any(String),
    });
  });

  test('200: is for the organization whose domain is named, as well', async () => {
    const row = await server.store.db
      .selectFrom('organizations')
      .select('domain')
      .where('id', '=', guest.organizationId)
      .executeTakeFirst();
    const { proposalCode } = await offer({ operatorId: { domain: row?.domain } });

    expect((await open({ proposalCode })).status).toBe(200);
  });

  test('is taken up by the first campaign that is executed, and by no other', async () => {
    const { id, proposalCode } = await offer();
    const first = await draftOf(proposalCode);
    const second = await draftOf(proposalCode);
    takesOrders();

    done(await guest.post(`/buyer/campaigns/${first}/execute`));
    const late = await guest.post(`/buyer/campaigns/${second}/execute`);

    expectRefusal(late, 409, {
      code: 'CONFLICT',
      words: 'The proposal that this campaign was made of was taken up elsewhere, revoked, or has expired.',
    });
    expect(await offered(id)).toMatchObject({
      status: 'redeemed',
      redeemedAt: expect.any(String),
      redeemedInMediaBuyId: expect.stringMatching(/^mb_/),
    });
    expectRefusal(await open({ proposalCode }), 409, {
      code: 'CONFLICT',
      at: { proposalCode: 'The proposal is redeemed: it can be taken up once, while it is active.' },
    });
    expect(done(await guest.get(`/buyer/campaigns/${second}`)).campaign.status).toBe('DRAFT');
  });

  test('is taken up by the first campaign of its session, and none other is told to buy it once more', async () => {
    const { proposalCode } = await offer();
    const first = await draftOf(proposalCode);
    const { discoveryId } = done(await guest.get(`/buyer/campaigns/${first}`)).campaign;
    const campaign = { advertiserId, name: 'Again', discoveryId, flightDates, budget: { total: 1_000 } };
    const second = done(await guest.post('/buyer/campaigns', campaign)).campaign.campaignId;
    takesOrders();
    done(await guest.post(`/buyer/campaigns/${first}/execute`));

    for (const rebuy of [false, true]) {
      const late = await guest.post(`/buyer/campaigns/${second}/execute`, { rebuy });
      expectRefusal(late, 409, {
        code: 'CONFLICT',
        words: 'The proposal that this campaign was made of was taken up elsewhere, revoked, or has expired.',
      });
      expect(late.body.error.details.suggestion).not.toContain('rebuy');
    }
    done(await guest.post(`/buyer/campaigns/${first}/execute`));
  });

  test('is not taken up once it was revoked or is over, though a draft was made of it', async () => {
    const { id, proposalCode } = await offer();
    const draft = await draftOf(proposalCode);
    done(await made.seller.post(`/storefront/proposals/${id}/revoke`));

    const words =
      'The proposal that this campaign was made of was taken up elsewhere, revoked, or has expired.';
    expectRefusal(await guest.post(`/buyer/campaigns/${draft}/execute`), 409, { code: 'CONFLICT', words });
    const { warnings } = done(await guest.get(`/buyer/campaigns/${draft}`)).campaign;
    expect(warnings).toEqual([expect.stringContaining(words)]);
  });

  test('stays as it is: it is neither refined nor asked again', async () => {
    const { proposalCode } = await offer();
    const { discoveryId, revision } = done(await open({ proposalCode }));

    const refine = [{ scope: 'request', ask: 'Cheaper' }];
    expectRefusal(await guest.post(NEW, { discoveryId, refine }), 409, {
      code: 'CONFLICT',
      words: 'What a seller offers by a code is taken as it is.',
    });
    clock.skip(31 * 60_000);
    expect(done(await guest.post(NEW, { discoveryId }))).toMatchObject({ revision, totalGroups: 2 });
  });

  test('404: says the same of a code for somebody else and of one that nobody made', async () => {
    const { proposalCode } = await offer();
    const thief = await newPerson(server);
    const own = { advertiserId: await newAdvertiser(thief) };

    const stolen = await thief.post(NEW, { ...own, proposalCode });
    const guessed = await thief.post(NEW, { ...own, proposalCode: 'PRP-000000' });

    expectRefusal(stolen, 404, { code: 'NOT_FOUND', words: 'No such proposal with this code.' });
    expect(stolen.body.error).toEqual(guessed.body.error);
  });

  test('409: a code that is over, and one of a storefront that sells nothing at the moment', async () => {
    const soon = await offer({ expiresAt: new Date(clock.now() + 60_000).toISOString() });
    clock.skip(61_000);
    expectRefusal(await open({ proposalCode: soon.proposalCode }), 409, {
      code: 'CONFLICT',
      at: { proposalCode: 'The proposal is expired: it can be taken up once, while it is active.' },
    });

    const { proposalCode } = await offer();
    done(await made.seller.put('/storefront', { isPaused: true }));
    expectRefusal(await open({ proposalCode }), 409, {
      code: 'CONFLICT',
      at: { proposalCode: 'The storefront of this proposal does not sell at the moment.' },
    });
    done(await made.seller.put('/storefront', { isPaused: false }));
  });

  test('422: a session that is open keeps what it was opened with', async () => {
    const { proposalCode } = await offer();

    const reply = await guest.post(NEW, { discoveryId: made.discoveryId, proposalCode });
    const own = await made.buyer.post(NEW, { discoveryId: made.discoveryId, proposalCode });

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such discovery session.' });
    expectRefusal(own, 422, {
      code: 'VALIDATION_ERROR',
      at: { proposalCode: 'A session keeps what it was opened with.' },
    });
  });

  test('429 RATE_LIMITED: ten guesses an hour, however many come at once; what was given is no guess', async () => {
    const guesser = await newPerson(server);
    const own = { advertiserId: await newAdvertiser(guesser) };
    const { proposalCode } = await offer({ operatorId: { customerId: guesser.accounts.BUYER } });
    const guess = (code: string) => guesser.post(NEW, { ...own, proposalCode: code });
    for (let times = 0; times < 3; times += 1) done(await guess(proposalCode));

    const ends = await Promise.all(
      Array.from({ length: 14 }, async (_, index) => (await guess(`PRP-00000${index}`)).status),
    );

    expect(ends.filter((status) => status === 404)).toHaveLength(10);
    expect(ends.filter((status) => status === 429)).toHaveLength(4);
    const right = await guess(proposalCode);
    expectRefusal(right, 429, {
      code: 'RATE_LIMITED',
      words: /^Too many codes were tried in this hour\. Retry in \d+ s\.$/,
    });
    clock.skip(3_601_000);
    expectRefusal(await guess('PRP-000000'), 404, {
      code: 'NOT_FOUND',
      words: 'No such proposal with this code.',
    });
  });
});

test('429 RATE_LIMITED: after as many guesses as the settings say', async () => {
  const strict = await startTestServer({ settings: { PROPOSAL_CODE_TRIES_PER_HOUR: '1' } });
  const guesser = await newPerson(strict);
  const advertiserId = await newAdvertiser(guesser);
  const guess = () => guesser.post(NEW, { advertiserId, proposalCode: 'PRP-000000' });

  expectRefusal(await guess(), 404, { code: 'NOT_FOUND', words: 'No such proposal with this code.' });
  expectRefusal(await guess(), 429, {
    code: 'RATE_LIMITED',
    words: /^Too many codes were tried in this hour\. Retry in \d+ s\.$/,
  });
  await strict.stop();
});
