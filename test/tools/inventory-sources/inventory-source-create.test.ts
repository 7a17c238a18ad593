import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asSealed } from '../../../store/engine/codec.ts';
import { authOwner } from '../../../tools/domain/sellers/credential-owner.ts';
import { inAnotherAccount } from '../../support/buying/access.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { newSeller } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront/inventory-sources';
const TOKEN = 'sk-very-private-0123456789';
const agent = { name: 'Ad server', endpointUrl: 'https://ads.example/mcp' };
const locked = { ...agent, authenticationType: 'API_KEY' };

describe('inventory_source_create', () => {
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newSeller(server);
  });
  afterAll(() => server.stop());

  function rowsOf({ organizationId }: Person) {
    return server.store.db
      .selectFrom('inventory_sources')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .execute();
  }

  describe('201', () => {
    test('adds an agent that needs no credential, ready to be asked', async () => {
      const { status, body } = await seller.post(PATH, { ...agent, description: 'Our own.' });

      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          id: expect.stringMatching(/^src_/),
          sourceId: 'ad-server',
          name: 'Ad server',
          executionType: 'AGENT',
          type: 'SALES',
          status: 'ACTIVE',
          agentId: expect.stringMatching(/^agt_/),
          endpointUrl: 'https://ads.example/mcp',
          protocol: 'MCP',
          authenticationType: 'NO_AUTH',
          authConfigured: false,
          description: 'Our own.',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: body.data.createdAt,
          revision: 1,
        },
        error: null,
      });
      const { body: again } = await seller.get(`${PATH}/ad-server`);
      expect(again.data).toMatchObject(body.data);
    });

    test('adds the embedded seller, which has no address and needs no credential', async () => {
      const { status, body } = await seller.post(PATH, {
        name: 'Shelf',
        sourceId: 'own_shelf-1',
        executionType: 'MANAGED_SALES_AGENT',
      });

      expect(status).toBe(201);
      expect(body.data).toMatchObject({
        sourceId: 'own_shelf-1',
        executionType: 'MANAGED_SALES_AGENT',
        status: 'ACTIVE',
        endpointUrl: null,
        protocol: null,
        authenticationType: null,
        authConfigured: false,
      });
    });

    test('leaves an agent that wants a credential PENDING until it has one', async () => {
      const { body } = await seller.post(PATH, { ...locked, name: 'Without' });
      expect(body.data).toMatchObject({ status: 'PENDING', authConfigured: false });

      const auth = { type: 'bearer', token: TOKEN };
      const { body: signedIn } = await seller.post(PATH, { ...locked, name: 'With', auth });
      expect(signedIn.data).toMatchObject({ status: 'ACTIVE', authConfigured: true });
    });

    test('takes a credential that is given without a word for API_KEY, and the source is ready', async () => {
      const owner = await newSeller(server);

      const { body } = await owner.post(PATH, { ...agent, auth: { type: 'api_key', token: TOKEN } });

      expect(body.data).toMatchObject({
        status: 'ACTIVE',
        authenticationType: 'API_KEY',
        authConfigured: true,
      });
    });

    test.each(['bearer', 'api_key'])(
      'keeps a %s credential encrypted for its row, and tells it to nobody',
      async (type) => {
        const owner = await newSeller(server);
        const logged = server.log.lines.length;

        const made = await owner.post(PATH, { ...locked, auth: { type, token: TOKEN } });

        const answers = [made, await owner.get(PATH), await owner.get(`${PATH}/ad-server`)];
        expect(answers.map(({ text }) => text).join()).not.toContain(TOKEN);
        const [row] = await rowsOf(owner);
        expect(JSON.stringify(row)).not.toContain(TOKEN);
        const { secrets } = server.running.app.services.ports;
        expect(JSON.parse(secrets.open(row?.auth ?? asSealed(''), authOwner(row?.id ?? '')))).toEqual({
          type,
          token: TOKEN,
        });
        expect(() => secrets.open(row?.auth ?? asSealed(''), authOwner('src_other'))).toThrow();
        expect(JSON.stringify(await auditOf(server, owner, 'inventory_source_create'))).not.toContain(TOKEN);
        expect(JSON.stringify(server.log.lines.slice(logged))).not.toContain(TOKEN);
      },
    );

    test('is in the audit log, with its fields but without its credential', async () => {
      const owner = await newSeller(server);
      await owner.post(PATH, { ...locked, auth: { type: 'bearer', token: TOKEN } });

      const [entry, ...others] = await auditOf(server, owner, 'inventory_source_create');
      expect(others).toEqual([]);
      expect(entry).toMatchObject({
        customer_id: owner.accounts.SELLER,
        surface: 'storefront',
        action: 'CREATE',
        outcome: 'succeeded',
        error_code: null,
        resource_type: 'INVENTORY_SOURCE',
        resource_id: 'ad-server',
        resource_name: 'Ad server',
        credential_id: `api_key:${owner.keyId}`,
      });
      expect(JSON.parse(entry?.parameters ?? '')).toMatchObject({ name: 'Ad server', auth: '[secret]' });
    });
  });

  describe('501', () => {
    test('NOT_IMPLEMENTED for a documented way to sign in, naming each of its fields', async () => {
      const auth = { type: 'basic', username: 'me', password: 'secret' };
      const reply = await seller.post(PATH, { name: 'Basic', endpointUrl: 'https://ads.example/mcp', auth });

      expectRefusal(reply, 501, {
        code: 'NOT_IMPLEMENTED',
        at: {
          'auth.type': 'Documented, and not built yet.',
          'auth.username': 'Documented, and not built yet.',
          'auth.password': 'Documented, and not built yet.',
        },
      });
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR for an address and a credential of the embedded seller, which has none', async () => {
      const owner = await newSeller(server);
      const none = 'The embedded seller has none: leave it out, or make a source of executionType AGENT.';

      const reply = await owner.post(PATH, {
        name: 'Shelf',
        executionType: 'MANAGED_SALES_AGENT',
        endpointUrl: 'https://ads.example/mcp',
        authenticationType: 'API_KEY',
        auth: { type: 'bearer', token: TOKEN },
      });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { endpointUrl: none, authenticationType: none, auth: none },
      });
      expect((await owner.get(PATH)).body.data).toEqual([]);
    });

    test('VALIDATION_ERROR names every problem with its path', async () => {
      const reply = await seller.post(PATH, {
        sourceId: 'Has Blanks',
        endpointUrl: 'ftp://ads.example',
        protocol: 'SOAP',
        authenticationType: 'TOKEN',
        auth: { type: 'token', token: '', login: 'me' },
        colour: 'red',
      });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          name: 'Required: give a string.',
          sourceId: 'Give lowercase letters, digits, - and _.',
          endpointUrl: 'Give a web address such as https://acme.example/page.',
          protocol: 'Give one of: MCP.',
          authenticationType: 'Give one of: API_KEY, NO_AUTH.',
          'auth.type': 'Give one of: bearer, api_key, apikey.',
          'auth.token': '1 character at the least.',
          'auth.login': 'Unknown field. Known here: type, token.',
          colour:
            'Unknown field. Known here: name, sourceId, executionType, type, endpointUrl, protocol, authenticationType, auth, description.',
        },
      });
    });

    test('VALIDATION_ERROR for an agent without an address, beside every other problem', async () => {
      const reply = await seller.post(PATH, { protocol: 'SOAP' });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          name: 'Required: give a string.',
          protocol: 'Give one of: MCP.',
          endpointUrl: 'Required with executionType AGENT: give the address of the agent.',
        },
      });
    });

    test('VALIDATION_ERROR at auth when it is given together with NO_AUTH, and nothing is made', async () => {
      const owner = await newSeller(server);
      const auth = { type: 'bearer', token: TOKEN };

      const reply = await owner.post(PATH, { name: 'No address', authenticationType: 'NO_AUTH', auth });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          endpointUrl: 'Required with executionType AGENT: give the address of the agent.',
          auth: 'Leave it out with authenticationType NO_AUTH, or give authenticationType API_KEY.',
        },
      });
      expect(await rowsOf(owner)).toEqual([]);
    });

    const NO_ADDRESS = 'Give a web address such as https://acme.example/page.';
    test.each([
      ['nowhere', NO_ADDRESS],
      ['https://', NO_ADDRESS],
      ['https://me:secret@ads.example/mcp', 'Leave out user and password.'],
      [`https://ads.example/${'x'.repeat(2048)}`, '2048 characters at the most.'],
    ])('VALIDATION_ERROR for the address %s', async (endpointUrl, words) => {
      const reply = await seller.post(PATH, { name: 'Lost', endpointUrl });

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { endpointUrl: words } });
    });

    test.each(['a\nb', 'a\u202eb', ' padded', 'schl\u00fcssel'])(
      'names a credential that no header can carry: %j',
      async (token) => {
        const owner = await newSeller(server);

        const reply = await owner.post(PATH, { ...agent, auth: { type: 'bearer', token } });

        expectRefusal(reply, 400, {
          code: 'VALIDATION_ERROR',
          at: { 'auth.token': /a header carries ASCII/ },
        });
      },
    );

    test('repeats nothing of a credential that it refuses, and audits nothing of it', async () => {
      const owner = await newSeller(server);
      const reply = await owner.post(PATH, { ...agent, auth: { type: TOKEN, token: TOKEN, [TOKEN]: 1 } });

      expect(reply.status).toBe(400);
      const [entry] = await auditOf(server, owner, 'inventory_source_create');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'VALIDATION_ERROR', parameters: null });
    });
  });

  describe('404', () => {
    test('NOT_FOUND before there is a storefront', async () => {
      const early = await newPerson(server);

      expectRefusal(await early.post(PATH, agent), 404, { code: 'NOT_FOUND', words: 'No such storefront.' });
    });

    test('NOT_FOUND for another account of the organization, which has no storefront of its own', async () => {
      const other = await inAnotherAccount(server, seller, 'SELLER');

      expectRefusal(await other.post(PATH, agent), 404, { code: 'NOT_FOUND', words: 'No such storefront.' });
    });
  });

  describe('409', () => {
    test('CONFLICT for a sourceId that the storefront has already, which stays as it was', async () => {
      const owner = await newSeller(server);
      const { body: first } = await owner.post(PATH, { ...agent, sourceId: 'main' });

      const reply = await owner.post(PATH, { ...agent, name: 'Second', sourceId: 'main' });

      expectRefusal(reply, 409, { code: 'CONFLICT', words: 'The storefront has a source main already.' });
      expect((await owner.get(PATH)).body.data).toEqual([expect.objectContaining(first.data)]);
      const [entry] = await auditOf(server, owner, 'inventory_source_create');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'CONFLICT', resource_id: 'main' });
    });

    test('no CONFLICT between storefronts: each has names of its own', async () => {
      const source = { ...agent, sourceId: 'shared-name' };
      const replies = [
        await (await newSeller(server)).post(PATH, source),
        await (await newSeller(server)).post(PATH, source),
      ];

      expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    });
  });
});
