import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { offerFields, plannedAlone } from '../../support/sellers/offers.ts';

describe('proposal_revoke', () => {
  let made: Awaited<ReturnType<typeof plannedAlone>>;
  beforeAll(async () => {
    made = await plannedAlone();
  });
  afterAll(() => made.stop());

  test('200: the code opens nothing any more; 409 CONFLICT the second time; 404 NOT_FOUND for none', async () => {
    const { id, proposalCode } = done(
      await made.seller.post('/storefront/proposals', offerFields(made, made.buyer)),
    );

    const reply = await made.seller.post(`/storefront/proposals/${id}/revoke`);

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ id, status: 'revoked' });
    const again = await made.seller.post(`/storefront/proposals/${id}/revoke`);
    expectRefusal(again, 409, {
      code: 'CONFLICT',
      words: 'The proposal was taken up or revoked, and stays as it is.',
    });
    const none = await made.seller.post('/storefront/proposals/999999/revoke');
    expectRefusal(none, 404, { code: 'NOT_FOUND', words: 'No such proposal.' });
    const { advertiserId } = made;
    const tried = await made.buyer.post('/buyer/discovery/discover-products', { advertiserId, proposalCode });
    expectRefusal(tried, 409, {
      code: 'CONFLICT',
      at: { proposalCode: 'The proposal is revoked: it can be taken up once, while it is active.' },
    });
  });
});
