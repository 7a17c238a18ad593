import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { done, newAdvertiser, productFields } from '../support/sellers/market.ts';
import { newSeller, newShelf } from '../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const OTHER = '"1-00000000000000000000000000000000"';

describe('a read of one object by a caller that says what it has', () => {
  let server: TestServer;
  let seller: Person;
  let sourceId: string;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newSeller(server);
    sourceId = await newShelf(seller);
    const { productId } = done(await seller.post('/storefront/products', productFields()));
    path = `/storefront/products/${productId}`;
  });
  afterAll(() => server.stop());

  const readIf = (headers: Record<string, string>, method = 'GET') => seller.send(path, { method, headers });
  const etagOf = ({ headers }: Reply) => headers.get('etag') ?? '';

  test.each([
    ['its tag', (tag: string) => tag],
    ['its tag, made weak on the way', (tag: string) => `W/${tag}`],
    ['its tag among others', (tag: string) => `${OTHER}, ${tag}`],
    ['its tag between nothing', (tag: string) => `, ,${tag},, `],
    ['any', () => '*'],
  ] as const)('is answered 304 without a body where it names %s', async (_what, headerFor) => {
    const tag = etagOf(await seller.get(path));

    for (const method of ['GET', 'HEAD']) {
      const reply = await readIf({ 'if-none-match': headerFor(tag) }, method);

      expect([reply.status, reply.text, etagOf(reply)]).toEqual([304, '', tag]);
      expect(reply.headers.get('content-type')).toBeNull();
      expect(reply.headers.get('x-request-id')).not.toBeNull();
    }
  });

  test.each([
    ['another tag', OTHER],
    ['the version alone', '"1"'],
    ['no tag', ''],
  ])('is answered whole where it names %s', async (_what, header) => {
    const whole = await seller.get(path);

    const reply = await readIf({ 'if-none-match': header });

    expect([reply.status, reply.body, etagOf(reply)]).toEqual([200, whole.body, etagOf(whole)]);
  });

  test('is answered whole once it is changed, and in another form', async () => {
    const tag = etagOf(await seller.get(path));
    const compact = await seller.send(`${path}?detail=compact`, {
      method: 'GET',
      headers: { 'if-none-match': tag },
    });
    done(await seller.put(path, { name: 'Another' }));

    const changed = await readIf({ 'if-none-match': tag });

    expect([compact.status, changed.status, changed.body.data.name]).toEqual([200, 200, 'Another']);
  });

  test('is answered whole where something beside its version changed', async () => {
    const { organizationId } = seller;
    const source = `/storefront/inventory-sources/${sourceId}`;
    const before = await seller.get(source);
    const failure = {
      words: 'It is closed.',
      code: null,
      at: '2020-01-01T00:00:00.000Z',
      task: 'get_products',
    };
    await server.store.db
      .updateTable('inventory_sources')
      .set({ last_failure: JSON.stringify(failure) as never })
      .where('organization_id', '=', organizationId)
      .execute();

    const after = await seller.send(source, { method: 'GET', headers: { 'if-none-match': etagOf(before) } });

    expect([after.status, after.body.data.health?.lastError]).toEqual([200, 'It is closed.']);
    expect(after.body.data.revision).toBe(before.body.data.revision);
    const still = await seller.send(source, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': etagOf(before) },
      body: JSON.stringify({ description: 'Made on the version that was read.' }),
    });
    expect(still.status).toBe(200);
  });

  test('is refused where its header holds no tags', async () => {
    const reply = await readIf({ 'if-none-match': '7' });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'If-None-Match': 'Give the ETag of an earlier answer, several between commas, or *.' },
    });
  });

  test('is refused before it is asked whether it is known, where nobody may read it', async () => {
    const other = await newPerson(server);

    const reply = await other.send(path, { method: 'GET', headers: { 'if-none-match': '*' } });

    expect(reply.status).toBe(404);
  });

  test('gives no other answer than the one that If-Match wants', async () => {
    const tag = etagOf(await seller.get(path));
    const same = await readIf({ 'if-match': tag });
    const known = await readIf({ 'if-match': tag, 'if-none-match': tag });
    const other = await readIf({ 'if-match': OTHER, 'if-none-match': tag });
    const weak = await readIf({ 'if-match': `W/${tag}` });

    expect([same.status, known.status, weak.status]).toEqual([200, 304, 409]);
    expectRefusal(other, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'What is there by now has none of the tags of If-Match.' },
    });
  });

  test('takes a key for repeats as nothing, because a read repeats itself', async () => {
    const reply = await readIf({ 'idempotency-key': 'one' });

    expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('passes over tags where the answer has none', async () => {
    const buyer = await newPerson(server);
    await newAdvertiser(buyer);

    const reply = await buyer.send('/buyer/advertisers', {
      method: 'GET',
      headers: { 'if-none-match': '*' },
    });

    expect([reply.status, reply.headers.get('etag'), reply.body.data.items?.length]).toEqual([200, null, 1]);
  });
});
