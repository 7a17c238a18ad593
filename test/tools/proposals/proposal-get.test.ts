import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { offerFields, plannedAlone } from '../../support/sellers/offers.ts';

describe('proposal_get', () => {
  let made: Awaited<ReturnType<typeof plannedAlone>>;
  beforeAll(async () => {
    made = await plannedAlone();
  });
  afterAll(() => made.stop());

  test('200: gives what was made, and 404 NOT_FOUND for what is not there', async () => {
    const created = done(await made.seller.post('/storefront/proposals', offerFields(made, made.buyer)));

    const reply = await made.seller.get(`/storefront/proposals/${created.id}`);

    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(created);
    expectRefusal(await made.seller.get('/storefront/proposals/999999'), 404, {
      code: 'NOT_FOUND',
      words: 'No such proposal.',
    });
  });
});
