import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('join_link_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 201 with a path to hand out, and CONFLICT for a slug that is taken', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    const { storefrontId } = await openStorefront(seller);
    const slug = `corner-${storefrontId}`;

    const reply = await seller.post('/storefront/join-links', { slug });

    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({ joinPath: `/join/${slug}`, maxUses: null });
    const again = await seller.post('/storefront/join-links', { slug });
    expectRefusal(again, 409, { code: 'CONFLICT', at: { slug: 'There is a link with this slug already.' } });
  });

  test('answers NOT_FOUND for a storefront of somebody else', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    const { storefrontId } = await openStorefront(seller);
    const stranger = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(stranger);

    const reply = await stranger.post('/storefront/join-links', { storefrontId: Number(storefrontId) });

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such storefront.' });
    const suggestion = 'Leave storefrontId out: a link leads to your own storefront.';
    expect(reply.body.error.details).toMatchObject({ suggestion });
  });

  test('refuses an end that is past, and takes one that is to come', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const until = (expiresAt: string) => seller.post('/storefront/join-links', { expiresAt });

    const reply = await until('2020-01-01T00:00:00Z');

    const at = { expiresAt: 'Give a moment in the future.' };
    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at });
    expect((await until('2100-01-01T00:00:00Z')).status).toBe(201);
    expect((await seller.get('/storefront/join-links')).body.data.items).toHaveLength(1);
  });
});
