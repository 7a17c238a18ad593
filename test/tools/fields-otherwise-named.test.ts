import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { callTool } from '../support/mcp/mcp-call.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** Whoever gives a field under another name is led to the field that they mean, and to no other. */
describe('a field that is given under another name', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const advertiser = { name: 'Acme', brand: 'acme.example', primaryCurrency: 'USD' };
  const change = (fields: object) => buyer.put(`/buyer/advertisers/${advertiserId}`, fields);
  const buy = (fields: object) => buyer.patch('/buyer/media-buys/mb_none', fields);

  describe('over REST', () => {
    test.each(['idempotency_key', 'idempotencyKey', 'Idempotency-Key'])(
      'leads to the header of a key: %s',
      async (name) => {
        expectRefusal(await buyer.post('/buyer/advertisers', { ...advertiser, [name]: 'k-1' }), 400, {
          code: 'VALIDATION_ERROR',
          at: { [name]: 'Unknown field. Give it as the header Idempotency-Key.' },
        });
      },
    );

    test('leads a read to no key, which it does not need', async () => {
      expectRefusal(await buyer.get('/buyer/advertisers?idempotency_key=k-1'), 400, {
        code: 'VALIDATION_ERROR',
        at: { idempotency_key: 'Unknown field. What only reads needs no key: leave it out.' },
      });
    });

    test.each(['revision', 'version', 'version_hash', 'etag'])(
      'leads to the header of a version: %s',
      async (name) => {
        expectRefusal(await change({ [name]: 3 }), 400, {
          code: 'VALIDATION_ERROR',
          at: { [name]: 'Unknown field. Give the ETag that was read as the header If-Match.' },
        });
      },
    );

    test('leads to the field of a version where there is one, unless it is given already', async () => {
      const said = async (fields: object, words: string) =>
        expectRefusal(await buy(fields), 400, { code: 'VALIDATION_ERROR', at: { revision: words } });

      await said({ name: 'x', revision: 3 }, 'Unknown field. Did you mean version_hash?');
      const GIVEN = 'Unknown field: leave it out, version_hash is given already.';
      await said({ name: 'x', revision: 3, version_hash: 'ff' }, GIVEN);
      await said({ name: 'x', revision: 3, versionHash: 'ff' }, GIVEN);
    });

    test.each([
      ['resaon', 'Unknown field. Did you mean reason?'],
      ['primary_currency', 'Unknown field: leave it out, primaryCurrency is given already.'],
    ])('leads to what every change takes, and to nothing that is given: %s', async (name, words) => {
      expectRefusal(await buyer.post('/buyer/advertisers', { ...advertiser, [name]: 'USD' }), 400, {
        code: 'VALIDATION_ERROR',
        at: { [name]: words },
      });
    });

    test.each(['type', 'date', 'endDate', 'customerId'])(
      'leads to no field of another meaning that is written alike: %s',
      async (name) => {
        expectRefusal(await buyer.get(`/buyer/advertisers?${name}=x`), 400, {
          code: 'VALIDATION_ERROR',
          at: { [name]: /^Unknown field\. Known here: status, name, / },
        });
      },
    );
  });

  describe('over MCP', () => {
    const messageOf = async (name: string, args: object) => {
      const { structuredContent } = await callTool(server, buyer, { name, arguments: args });
      return structuredContent.message;
    };

    test('leads to the argument of a key, unless it is given already', async () => {
      const create = (fields: object) => messageOf('advertiser_create', { ...advertiser, ...fields });

      expect(await create({ idempotency_key: 'k-1' })).toBe(
        'idempotency_key: Unknown field. Did you mean idempotencyKey?',
      );
      expect(await create({ idempotency_key: 'k-1', idempotencyKey: 'k-1' })).toBe(
        'idempotency_key: Unknown field: leave it out, idempotencyKey is given already.',
      );
    });

    test('leads to the argument of a version', async () => {
      expect(await messageOf('advertiser_update', { advertiserId, version: 3 })).toBe(
        'version: Unknown field. Did you mean revision?',
      );
      expect(await messageOf('media_buy_pause', { media_buy_id: 'mb_none', revision: 3 })).toBe(
        'revision: Unknown field. Did you mean version_hash?',
      );
    });
  });
});
