import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../../support/answers.ts';
import { done } from '../../support/market.ts';
import { offerFields, plannedAlone } from '../../support/offers.ts';

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
    expect(refusalOf(again)).toEqual({ status: 409, code: 'CONFLICT' });
    const none = await made.seller.post('/storefront/proposals/999999/revoke');
    expect(refusalOf(none)).toEqual({ status: 404, code: 'NOT_FOUND' });
    const { advertiserId } = made;
    const tried = await made.buyer.post('/buyer/discovery/discover-products', { advertiserId, proposalCode });
    expect(refusalOf(tried)).toEqual({ status: 409, code: 'CONFLICT' });
  });
});
