import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { callTool } from '../../support/mcp/any-lane.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

type Fields = Readonly<Record<string, unknown>>;

describe.each([
  ['the direct lane', false],
  ['the official server', true],
])('api_call on %s', (_, official) => {
  let server: TestServer;
  let person: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
    advertiserId = await newAdvertiser(person);
  });
  afterAll(() => server.stop());

  const pass = (args: Fields, { key = person.key, at = 'buyer' } = {}) =>
    callTool({ url: server.url, key, at, official }, 'api_call', args);
  const directly = (name: string, args: Fields, key = person.key) =>
    callTool({ url: server.url, key, at: 'buyer', official }, name, args);

  describe('200', () => {
    test('gives what the operation gives, by its name and by its address', async () => {
      const own = await directly('advertiser_get', { advertiserId });

      expect(own.content).toMatchObject({ id: advertiserId });
      for (const args of [
        { operation: 'advertiser_get', pathParams: { advertiserId } },
        { operation: 'advertiser_get', body: { advertiserId } },
        { operation: 'advertiser_get', input: { advertiserId } },
        { operation: 'advertiser_get', arguments: { advertiserId } },
        { operation: 'advertiser_get', params: { advertiserId } },
        { method: 'GET', path: `/api/v2/buyer/advertisers/${advertiserId}` },
        { method: 'GET', path: `/api/buyer/advertisers/${advertiserId}/` },
        { method: 'GET', path: `${server.url}/api/v2/buyer/advertisers/${advertiserId}` },
      ])
        expect(await pass(args)).toEqual(own);
    });

    test('takes what belongs into the braces of a path from beside it, and the same value twice', async () => {
      const own = await directly('advertiser_get', { advertiserId });
      const at = (path: string, more: object) => pass({ method: 'GET', path, ...more });
      const template = '/api/v2/buyer/advertisers/{advertiserId}';

      expect(await at(template, { pathParams: { advertiserId } })).toEqual(own);
      expect(await at(template, { query: { advertiserId } })).toEqual(own);
      for (const id of [Number(advertiserId), String(advertiserId)])
        expect(
          await at(`/api/v2/buyer/advertisers/${advertiserId}`, {
            pathParams: { advertiserId: id },
            body: { advertiserId: id },
          }),
        ).toEqual(own);
      expect((await at(template, {})).content).toMatchObject({ field: 'advertiserId' });
    });

    test('reads a query as its fields are typed, in the path and beside it', async () => {
      const own = await directly('advertiser_list', { take: 1, sandbox: false });

      for (const args of [
        { method: 'GET', path: '/api/v2/buyer/advertisers?take=1&sandbox=false' },
        { method: 'GET', path: '/api/v2/buyer/advertisers', query: { take: '1', sandbox: false } },
        { operation: 'advertiser_list', query: { take: 1 }, body: { sandbox: false } },
        { operation: 'advertiser_list', query: { limit: '1', sandbox: 'false' } },
      ])
        expect(await pass(args)).toEqual(own);
    });

    test('reads all of a query whose values hold question marks as they are', async () => {
      const answer = await pass({ method: 'GET', path: '/api/v2/buyer/advertisers?name=why?&take=many' });

      expect(answer.failed).toBe(true);
      expect(answer.content).toMatchObject({ code: 'VALIDATION_ERROR', field: 'take' });
    });

    test('reads lists of a query as REST does: with commas, repeated, and as name[]', async () => {
      const own = await directly('audit_log_list', { actions: ['CREATE', 'UPDATE'], take: 1 });

      expect(own.failed).toBe(false);
      for (const query of ['actions=CREATE,UPDATE', 'actions[]=CREATE&actions[]=UPDATE'])
        expect(await pass({ method: 'GET', path: `/api/v2/buyer/audit-logs?take=1&${query}` })).toEqual(own);
      for (const query of [{ actions: 'CREATE,UPDATE' }, { 'actions[]': ['CREATE', 'UPDATE'] }])
        expect(await pass({ operation: 'audit_log_list', query: { ...query, take: 1 } })).toEqual(own);
    });

    test('changes what the operation changes, with its own entry in the audit log', async () => {
      const made = await pass({
        operation: 'advertiser_create',
        body: { name: 'Passed on', brand: 'passed.example', saveBrand: true, primaryCurrency: 'USD' },
      });

      expect(made.failed).toBe(false);
      const { logs } = done(await person.get('/buyer/audit-logs?take=1'));
      expect(logs[0]).toMatchObject({ tool: 'advertiser_create', resourceId: made.content['id'] });
    });
  });

  describe('refuses', () => {
    test('what the operation refuses, in its words', async () => {
      const cases: [string, Fields][] = [
        ['advertiser_get', { advertiserId: 999_999_999 }],
        ['advertiser_get', { advertiserId: 'x', more: 1 }],
        ['campaign_create', { name: '' }],
        ['campaign_execute', { campaignId: 'cmp_nothing' }],
      ];
      for (const [operation, args] of cases) {
        const own = await directly(operation, args);

        expect(own.failed).toBe(true);
        expect(await pass({ operation, body: args })).toEqual(own);
      }
    });

    test('a change without the permission, and before the terms, as the operation does', async () => {
      const reader = await newPerson(server, { permissions: ['buyer:read'] });
      const early = await newPerson(server, { terms: false });
      const body = { name: 'A', brand: 'a.example', saveBrand: true, primaryCurrency: 'USD' };

      const forbidden = await pass({ operation: 'advertiser_create', body }, { key: reader.key });
      const owed = await pass({ operation: 'advertiser_create', body }, { key: early.key });

      expect(forbidden.content).toMatchObject({ code: 'FORBIDDEN' });
      expect(owed.content).toMatchObject({ code: 'TOS_ACCEPTANCE_REQUIRED' });
    });

    test('a change on an address that only reads, and asks sellers there all the same', async () => {
      const at = 'buyer?readonly=true';
      const body = { name: 'B', brand: 'b.example', saveBrand: true, primaryCurrency: 'USD' };

      const refused = await pass({ operation: 'advertiser_create', body }, { at });
      const read = await pass({ operation: 'advertiser_get', pathParams: { advertiserId } }, { at });
      const asked = await pass({ operation: 'discover_products', body: { advertiserId } }, { at });

      expect(refused.content).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('only reads'),
      });
      expect(read.failed).toBe(false);
      expect(asked.content).toHaveProperty('discoveryId');
    });

    test.each<[string, Fields, Fields]>([
      [
        'itself',
        { operation: 'api_call' },
        { field: 'operation', message: 'operation: api_call does not call itself.' },
      ],
      [
        'an operation that is not there, with the nearest',
        { operation: 'list_campaigns' },
        {
          field: 'operation',
          suggestion: expect.stringMatching(/^Did you mean campaign_list\b.*capability_search/),
        },
      ],
      [
        'an operation of the other surface, with where it is',
        { operation: 'product_list' },
        { field: 'operation', suggestion: expect.stringContaining('/mcp/v2/storefront') },
      ],
      ['nothing', {}, { field: 'operation' }],
      ['a path without a method', { path: '/api/v2/buyer/campaigns' }, { field: 'method' }],
      ['a method without a path', { method: 'GET' }, { field: 'path' }],
      [
        'an address where nothing is',
        { method: 'GET', path: '/api/v2/buyer/nothing/%ZZ' },
        { field: 'path' },
      ],
      ['two names', { operation: 'health', method: 'GET', path: '/health' }, { field: 'operation' }],
      [
        'a path of one object with the id of another beside it',
        { method: 'DELETE', path: '/api/v2/buyer/advertisers/2', pathParams: { advertiserId: 1 } },
        { field: 'advertiserId', message: 'advertiserId: Is given twice, with two values.' },
      ],
      [
        'a query of the path and another beside it',
        { method: 'GET', path: '/api/v2/buyer/advertisers?take=1', query: { take: 2 } },
        { field: 'take', message: 'take: Is given twice, with two values.' },
      ],
      [
        'a NUL in the path, which no database is asked for',
        { method: 'GET', path: '/api/v2/buyer/campaigns/a%00b' },
        { field: 'path', message: 'path: Holds a NUL character.' },
      ],
      [
        'a broken escape in the query of the path',
        { method: 'GET', path: '/api/v2/buyer/advertisers?name=caf%E9' },
        { field: 'path', suggestion: expect.stringContaining('%25') },
      ],
      [
        'a field that says two things',
        { operation: 'advertiser_get', pathParams: { advertiserId: 1 }, body: { advertiserId: 2 } },
        { field: 'advertiserId' },
      ],
    ])('%s: VALIDATION_ERROR', async (_what, args, refusal) => {
      expect(await pass(args)).toMatchObject({
        failed: true,
        content: { code: 'VALIDATION_ERROR', ...refusal },
      });
    });
  });
});
