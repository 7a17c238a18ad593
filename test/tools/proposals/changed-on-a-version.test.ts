import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { offerFields, plannedAlone } from '../../support/sellers/offers.ts';

const STALE = {
  code: 'CONFLICT' as const,
  at: { 'If-Match': 'The proposal was changed by somebody else in the meantime.' },
};

describe('a change of a proposal that says which version it is made on', () => {
  let made: Awaited<ReturnType<typeof plannedAlone>>;
  let path: string;
  beforeAll(async () => {
    made = await plannedAlone();
  });
  afterAll(() => made.stop());
  beforeEach(async () => {
    const { id } = done(await made.seller.post('/storefront/proposals', offerFields(made, made.buyer)));
    path = `/storefront/proposals/${id}`;
  });

  const send = (match: string, { method = 'PATCH', to = '', body = {} }) =>
    made.seller.send(`${path}${to}`, {
      method,
      headers: { 'content-type': 'application/json', 'if-match': match },
      body: JSON.stringify(body),
    });
  const tag = async () => (await made.seller.get(path)).headers.get('etag') ?? '';

  test('is made on the ETag that was read, and answered with the next', async () => {
    const reply = await send(await tag(), { body: { label: 'Second round' } });

    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).toMatch(/^"2-/);
    expect((await send(reply.headers.get('etag') ?? '', { body: { notes: 'Hot' } })).status).toBe(200);
  });

  test.each([
    ['of its label', { body: { label: 'Mine' } }],
    ['that revokes it', { method: 'POST', to: '/revoke' }],
  ])('is refused with the proposal as it is, where somebody changed it since: one %s', async (_, change) => {
    const match = await tag();
    done(await made.seller.patch(path, { label: 'Of another' }));

    const reply = await send(match, change);

    expectRefusal(reply, 409, STALE);
    expect(reply.body.error.details).toMatchObject({
      current: { label: 'Of another', status: 'active', revision: 2 },
      etag: await tag(),
    });
  });
});
