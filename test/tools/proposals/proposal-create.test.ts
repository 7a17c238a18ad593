import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { START } from '../../support/run/clock.ts';
import { done, openStorefront } from '../../support/sellers/market.ts';
import { offerFields, type Planned, plan, planned } from '../../support/sellers/offers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront/proposals';
const inDays = (days: number) => new Date(START + days * 86_400_000).toISOString();

describe('proposal_create', () => {
  let server: TestServer;
  let made: Planned;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    made = await planned(server, { ...plan, expires_at: inDays(10) });
  });
  afterAll(async () => {
    await server.stop();
    await made.agent.stop();
  });

  const create = (changes: object = {}, by = made.seller) =>
    by.post(PATH, offerFields(made, made.buyer, changes));

  test('201: gives a code for one buyer, with the plan and its products as the source brought them', async () => {
    const reply = await create();

    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({
      proposalCode: expect.stringMatching(/^PRP-[A-Z0-9]{6}$/),
      operatorId: String(made.buyer.accounts.BUYER),
      operatorRef: { customerId: made.buyer.accounts.BUYER },
      status: 'active',
      notes: null,
      discoverySessionId: made.discoveryId,
      proposalId: 'balanced',
      firstViewedAt: null,
      redeemedInMediaBuyId: null,
    });
    const { products, proposals } = reply.body.data.snapshot;
    expect(products.map(({ productId }: { productId: string }) => productId)).toEqual(['news', 'sport']);
    expect(proposals).toMatchObject([{ proposalId: 'balanced' }]);
    // What the buyer made of them is no affair of the seller.
    expect(JSON.stringify(products)).not.toContain('screening');
  });

  test.each([
    ['acme.example', { domain: 'acme.example' }],
    ['17', { customerId: 17 }],
  ])('201: takes the operator as text, %s', async (operatorId, operatorRef) => {
    expect(done(await create({ operatorId }))).toMatchObject({ operatorId, operatorRef });
  });

  test('keeps no code with the answer under an idempotency key: a repeat names the proposal that is there', async () => {
    const { seller, buyer } = made;
    const repeat = () =>
      seller.send(PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'offer-once' },
        body: JSON.stringify(offerFields(made, buyer)),
      });
    const { proposalCode, id } = done(await repeat());

    const again = await repeat();

    expectRefusal(again, 409, {
      code: 'CONFLICT',
      at: {
        'Idempotency-Key': /^This call was made at \S+: proposal \d+\. Its answer is not kept, and nothing /,
      },
      details: { resourceId: String(id) },
    });
    expect(again.text).not.toContain(proposalCode);
    const { rows } = await sql`select * from idempotency_keys`.execute(server.store.db.withoutPlugins());
    expect(JSON.stringify(rows)).not.toContain(proposalCode);
  });

  test('201: makes a code of its own each time', async () => {
    const codes = await Promise.all(Array.from({ length: 5 }, async () => done(await create()).proposalCode));

    expect(new Set(codes).size).toBe(5);
  });

  test('400: names every field that is wrong', async () => {
    const reply = await create({ operatorId: { domain: 'acme.example', customerId: 1 }, label: '' });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { operatorId: 'Give domain or customerId, one of them.', label: '1 character at the least.' },
    });
  });

  test.each([
    ['customerId', 'Give operatorId.customerId.'],
    ['domain', 'Give operatorId.domain.'],
  ])('400: %s beside operatorId leads into it', async (field, words) => {
    expectRefusal(await create({ [field]: '7' }), 400, {
      code: 'VALIDATION_ERROR',
      at: { [field]: words },
    });
  });

  test('201: lives as long as it may, unless it is said', async () => {
    expect(done(await create({ expiresAt: undefined })).expiresAt).toBe(inDays(10));
  });

  test.each([
    ['in the past', -1, 'Must be in the future.'],
    ['beyond the plan itself', 11, `The proposal itself ends at ${inDays(10)}.`],
  ])('400: an end %s', async (_, days, words) => {
    expectRefusal(await create({ expiresAt: inDays(days) }), 400, {
      code: 'VALIDATION_ERROR',
      at: { expiresAt: words },
    });
  });

  test('404: a plan that nobody proposed, a session that nobody has, and what another storefront proposed', async () => {
    const stranger = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(stranger);

    for (const reply of [
      await create({ proposalId: 'none' }),
      await create({ discoveryId: 'disc_none' }),
      await create({}, stranger),
    ]) {
      expectRefusal(reply, 404, {
        code: 'NOT_FOUND',
        words: 'No such proposal of your sources in this session.',
      });
    }
  });

  test('409 CONFLICT: a plan that takes more, with its products, than a proposal keeps', async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', PROPOSAL_BYTES: '1024' };
    const own = await startTestServer({ own: true, settings });
    const large = await planned(own, { ...plan, description: 'Balanced '.repeat(120) });
    try {
      expectRefusal(await large.seller.post(PATH, offerFields(large, large.buyer)), 409, {
        code: 'CONFLICT',
        words: /The plan with its products takes \d+ bytes, and a proposal keeps 1024 at the most/,
      });
      expect(done(await large.seller.get(PATH))).toEqual([]);
    } finally {
      await own.stop();
      await large.agent.stop();
    }
  });

  test('409 CONFLICT: a plan whose products are gone', async () => {
    const other = await planned(server);
    await server.store.db
      .deleteFrom('discovery_products')
      .where('organization_id', '=', other.buyer.organizationId)
      .where('session_id', '=', other.discoveryId)
      .where('product_id', '=', 'sport')
      .execute();

    const reply = await other.seller.post(PATH, offerFields(other, other.buyer));

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'Products of this plan are in the session no more.',
    });
    await other.agent.stop();
  });
});
