import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { START } from '../../support/run/clock.ts';
import { done } from '../../support/sellers/market.ts';
import { offerFields, plannedAlone } from '../../support/sellers/offers.ts';

describe('proposal_update', () => {
  let made: Awaited<ReturnType<typeof plannedAlone>>;
  beforeAll(async () => {
    made = await plannedAlone();
  });
  afterAll(() => made.stop());

  const create = async () =>
    done(await made.seller.post('/storefront/proposals', offerFields(made, made.buyer)));

  test('200: changes what is given, and leaves the rest', async () => {
    const before = await create();
    const expiresAt = new Date(START + 2 * 86_400_000).toISOString();

    const reply = await made.seller.patch(`/storefront/proposals/${before.id}`, { notes: 'Hot', expiresAt });

    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({ ...before, revision: 2, notes: 'Hot', expiresAt });
  });

  test('400 for an end beyond fourteen days, 404 NOT_FOUND, and 409 CONFLICT for one that was revoked', async () => {
    const { id } = await create();
    const late = new Date(START + 20 * 86_400_000).toISOString();

    const patch = (at: number, fields: object) => made.seller.patch(`/storefront/proposals/${at}`, fields);
    expectRefusal(await patch(id, { expiresAt: late }), 400, {
      code: 'VALIDATION_ERROR',
      at: { expiresAt: /^A code is good for 14 days: \S+Z at the latest\.$/ },
    });
    expectRefusal(await patch(999_999, {}), 404, { code: 'NOT_FOUND', words: 'No such proposal.' });
    done(await made.seller.post(`/storefront/proposals/${id}/revoke`));
    expectRefusal(await patch(id, { label: 'New' }), 409, {
      code: 'CONFLICT',
      words: 'The proposal was taken up or revoked, and stays as it is.',
    });
  });
});
