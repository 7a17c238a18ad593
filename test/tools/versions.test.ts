import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRestTool } from '../../tools/core/define.ts';
import { isTagged, readerOf, wholeReaderOf } from '../../tools/core/stale-writes.ts';
import { isConditional, versionOf } from '../../tools/core/versions.ts';
import { tools } from '../../tools/registry.ts';
import type { Reply } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { done, flightDates, newAdvertiser, productFields } from '../support/sellers/market.ts';
import { newSeller, newShelf } from '../support/sellers/selling.ts';
import { writesBetween } from '../support/server/between.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Subject {
  readonly person: Person;
  readonly path: string;
}

describe('a change that says which version it is made on', () => {
  const between = writesBetween('product_update');
  const subjects = new Map<string, Subject>();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
    const seller = await newSeller(server);
    const buyer = await newPerson(server);
    const sourceId = await newShelf(seller);
    const { productId } = done(await seller.post('/storefront/products', productFields()));
    const advertiserId = await newAdvertiser(buyer);
    subjects.set('storefront', { person: seller, path: '/storefront' });
    subjects.set('source', { person: seller, path: `/storefront/inventory-sources/${sourceId}` });
    subjects.set('product', { person: seller, path: `/storefront/products/${productId}` });
    subjects.set('advertiser', { person: buyer, path: `/buyer/advertisers/${advertiserId}` });
  });
  afterAll(() => server.stop());

  function subject(name: string): Subject {
    const found = subjects.get(name);
    if (found === undefined) throw new Error(`No ${name}.`);
    return found;
  }

  function putIf({ person, path }: Subject, match: string, body: object): Promise<Reply> {
    const headers = { 'content-type': 'application/json', 'if-match': match };
    return person.send(path, { method: 'PUT', headers, body: JSON.stringify(body) });
  }

  const etagOf = async ({ person, path }: Subject) => (await person.get(path)).headers.get('etag') ?? '';

  describe.each([
    ['storefront', 'storefront'],
    ['source', 'inventory source'],
    ['product', 'product'],
    ['advertiser', 'advertiser'],
  ])('of a %s', (name, word) => {
    test('passes on the ETag that was read, is answered with the next, and 409 on the one before', async () => {
      const here = subject(name);
      const read = await etagOf(here);
      expect(read).toMatch(/^"\d+-[0-9a-f]{32}"$/);

      const first = await putIf(here, read, { description: `First of ${name}.` });

      expect(first.status).toBe(200);
      const left = first.headers.get('etag');
      expect(left).not.toBe(read);
      expect(await etagOf(here)).toBe(left);

      const stale = await putIf(here, read, { description: `Second of ${name}.` });

      expectRefusal(stale, 409, {
        code: 'CONFLICT',
        at: { 'If-Match': `The ${word} was changed by somebody else in the meantime.` },
      });
      const now = await here.person.get(here.path);
      expect(stale.body.error.details).toMatchObject({ current: now.body.data, etag: left });
      expect(now.body.data.description).toBe(`First of ${name}.`);
    });

    test('keeps its version where nothing changes', async () => {
      const here = subject(name);
      done(await here.person.put(here.path, { description: `Same of ${name}.` }));
      const read = await etagOf(here);

      const again = await putIf(here, read, { description: `Same of ${name}.` });

      expect(again.headers.get('etag')).toBe(read);
      expect(await etagOf(here)).toBe(read);
    });

    test.each([
      ['any of a list', (tag: string) => `"x", ${tag}`, 200],
      ['whatever there is', () => '*', 200],
      ['a weak tag', (tag: string) => `W/${tag}`, 409],
      ['another tag', () => '"x"', 409],
      ['no tag at all', () => '7', 400],
    ] as const)('takes %s as RFC 9110 has it', async (_what, headerFor, status) => {
      const here = subject(name);

      const reply = await putIf(here, headerFor(await etagOf(here)), { description: 'By a list.' });

      expect(reply.status).toBe(status);
    });
  });

  test.each([
    ['a weak tag', (tag: string) => `W/${tag}`],
    ['none', () => ''],
  ] as const)('says that no version matches %s', async (_what, headerFor) => {
    const here = subject('product');
    const tag = await etagOf(here);

    const reply = await putIf(here, headerFor(tag), { name: 'Never' });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'If-Match names no strong tag, and only such can match: nothing was changed.' },
    });
    expect(reply.body.error.details.suggestion).toContain('without W/');
    expect(await etagOf(here)).toBe(tag);
  });

  test('is refused where somebody else writes after it was compared', async () => {
    const here = subject('product');
    const read = await etagOf(here);
    between.next(() => here.person.put(here.path, { name: 'First' }));

    const reply = await putIf(here, read, { name: 'Second' });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'The product was changed by somebody else in the meantime.' },
    });
    expect(reply.body.error.details.current.name).toBe('First');
  });

  test('is refused before a deletion, which leaves the object there', async () => {
    const { person, path } = subject('product');
    const headers = { 'if-match': '"x"' };

    const reply = await person.send(path, { method: 'DELETE', headers });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'The product was changed by somebody else in the meantime.' },
    });
    expect((await person.get(path)).body.data.status).toBe('ACTIVE');
  });

  test('is refused where an action on a campaign was meant for another state of it', async () => {
    const { campaign, person } = await draft();
    const path = `/buyer/campaigns/${campaign}`;
    const read = await person.get(path);

    const reply = await person.send(`${path}/execute`, { method: 'POST', headers: { 'if-match': '"0"' } });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'The campaign was changed by somebody else in the meantime.' },
    });
    expect(reply.body.error.details).toMatchObject({
      current: read.body.data,
      etag: read.headers.get('etag'),
    });
    expect((await person.get(path)).body.data.campaign.status).toBe('DRAFT');
  });

  test('is refused where nothing has a version', async () => {
    const { person } = subject('advertiser');
    const headers = { 'content-type': 'application/json', 'if-match': '*' };
    const body = JSON.stringify({
      name: 'New',
      brand: 'acme.example',
      saveBrand: true,
      primaryCurrency: 'USD',
    });

    const reply = await person.send('/buyer/advertisers', { method: 'POST', headers, body });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'Create advertiser changes nothing that has a version, so If-Match cannot hold.' },
    });
  });

  test('finds its object in what was found, alone or first among others', () => {
    expect(versionOf({ id: 1, version: 3 })).toBe(3);
    expect(versionOf({ found: { version: 4 }, advertiser: { version: 5 } })).toBe(4);
    expect(versionOf({ id: 1 })).toBeUndefined();
  });

  test('is told what holds by every capability whose object counts its versions', () => {
    const blind = tools.filter(isRestTool).filter((tool) => isConditional(tool) && !readerOf(tool, tools));

    expect(blind.map(({ name }) => name)).toEqual([]);
  });

  test('may name every tag that its own address gives', () => {
    const called = tools.filter(isRestTool);
    const tagged = called.filter((tool) => tool.effect === 'read' && isTagged(tool));
    const changes = called.filter(({ effect }) => effect !== 'read' && effect !== 'create');
    const here = changes.filter((tool) =>
      tagged.some(({ rest, surface }) => rest.path === tool.rest.path && surface === tool.surface),
    );

    const deaf = here.filter((tool) => !isConditional(tool) && !wholeReaderOf(tool, tools));

    expect(here.length).toBeGreaterThan(0);
    expect(deaf.map(({ name }) => name)).toEqual([]);
  });

  async function draft() {
    const person = await newPerson(server);
    const advertiserId = await newAdvertiser(person);
    const fields = { advertiserId, name: 'Winter', flightDates, budget: { total: 100 } };
    const made = done(await person.post('/buyer/campaigns', fields));
    return { person, campaign: made.campaign.campaignId };
  }
});
