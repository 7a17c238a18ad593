import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { done } from '../support/sellers/market.ts';
import { newSeller } from '../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SOURCES = '/storefront/inventory-sources';

/** Addresses that no seller may have, wherever its organization stands. */
const NEVER = [
  'https://169.254.169.254/latest/meta-data',
  'https://ads.example:25/mcp',
  'https://ads.example:6379/mcp',
  'https://ads.example:0/mcp',
  'https://user:secret@ads.example/mcp',
  'https://ads.example/mcp#part',
  'https://ads.example/\nmcp',
  'https://ads.example/\u202emcp',
];

/** Addresses that the operator has to open first. */
const CLOSED = [
  'https://10.1.2.3/mcp',
  'https://192.168.0.7/mcp',
  'https://127.0.0.1:9443/mcp',
  'https://[::1]:9443/mcp',
  'https://[::ffff:10.1.2.3]/mcp',
  'https://2130706433/mcp',
  'https://localhost:9443/mcp',
  'https://seller/mcp',
  'https://ads.internal/mcp',
  'http://ads.example/mcp',
  'http://93.184.216.34/mcp',
];

const SAID =
  /^(Give a public https address: this one is reached only when the operator opens its range to you \(.+\)|Port \d+ is for other services: give 443 or another port of a web server|Leave out (user and password|the fragment|hidden characters: U\+[0-9A-F]{4}))\.$/;

describe('the address of a seller', () => {
  let strict: TestServer;
  let open: TestServer;
  let stranger: Person;
  let trusted: Person;
  beforeAll(async () => {
    strict = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '' } });
    stranger = await newSeller(strict);
    open = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '10.1.0.0/16,127.0.0.0/8' } });
    trusted = await newSeller(open);
  });
  afterAll(() => Promise.all([strict.stop(), open.stop()]));

  const create = (seller: Person, endpointUrl: string, sourceId = 'far') =>
    seller.post(SOURCES, { name: 'Far', sourceId, endpointUrl });

  test.each(NEVER)('is refused as %j, whatever the settings open', async (endpointUrl) => {
    for (const seller of [stranger, trusted]) {
      const reply = await create(seller, endpointUrl);
      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { endpointUrl: SAID } });
    }
  });

  test.each(CLOSED)('is refused as %s where the operator opened no range', async (endpointUrl) => {
    const reply = await create(stranger, endpointUrl);

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        endpointUrl:
          'Give a public https address: this one is reached only when the operator opens its range to you (SELLER_ALLOWED_CIDRS, SELLER_ALLOWED_ORGANIZATIONS).',
      },
    });
    expect(reply.body.error.message).toContain('SELLER_ALLOWED_CIDRS');
  });

  test.each(['http://10.1.2.3:8080/mcp', 'https://localhost:9443/mcp', 'http://seller:8080/mcp'])(
    'is taken as %s in a range that is open to its organization, and refused beyond it',
    async (endpointUrl) => {
      const sourceId = `far-${CLOSED.length}-${endpointUrl.length}`;
      expect(done(await create(trusted, endpointUrl, sourceId)).endpointUrl).toBe(endpointUrl);

      const moved = await trusted.put(`${SOURCES}/${sourceId}`, { endpointUrl: 'https://10.2.0.1/mcp' });
      expectRefusal(moved, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          endpointUrl:
            'Give a public https address: this one is reached only when the operator opens its range to you (SELLER_ALLOWED_CIDRS, SELLER_ALLOWED_ORGANIZATIONS).',
        },
      });
    },
  );

  test('is kept in ASCII, so that letters that only look like others show', async () => {
    const { endpointUrl } = done(await create(stranger, 'https://аpple.example/mcp', 'fruit'));

    expect(endpointUrl).toBe('https://xn--pple-43d.example/mcp');
  });
});
