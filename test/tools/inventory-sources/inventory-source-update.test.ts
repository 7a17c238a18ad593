import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asSealed } from '../../../store/engine/codec.ts';
import { authOwner } from '../../../tools/domain/sellers/credential-owner.ts';
import { auditOf } from '../../support/callers/answers.ts';
import type { Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const SOURCES = '/storefront/inventory-sources';
const PATH = `${SOURCES}/main`;
const TOKEN = 'sk-very-private-0123456789';
const auth = { type: 'bearer', token: TOKEN };
const ELSEWHERE = 'https://elsewhere.example/mcp';

describe('inventory_source_update', () => {
  const between = writesBetween('inventory_source_update');
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer({
      families: between.families,
      // With a range that is opened, plain http may lead into it: whether it does shows where a call connects.
      settings: { SELLER_ALLOWED_CIDRS: '10.99.0.0/16' },
    });
  });
  beforeEach(async () => {
    seller = await newSeller(server);
  });
  afterAll(() => server.stop());

  async function withSource(changes: object = {}) {
    const fields = {
      name: 'Ad server',
      sourceId: 'main',
      endpointUrl: 'https://ads.example/mcp',
      ...changes,
    };
    done(await seller.post(SOURCES, fields));
    return done(await seller.get(PATH));
  }

  /** The credential as it is kept, opened. */
  async function storedAuth(): Promise<unknown> {
    const row = await server.store.db
      .selectFrom('inventory_sources')
      .selectAll()
      .where('organization_id', '=', seller.organizationId)
      .executeTakeFirstOrThrow();
    const { secrets } = server.running.app.services.ports;
    return row.auth === null ? null : JSON.parse(secrets.open(row.auth, authOwner(row.id)));
  }

  describe('200', () => {
    test('changes what is given and leaves the rest', async () => {
      const before = await withSource({ description: 'Our own.' });

      const { status, body } = await seller.put(PATH, {
        name: 'Bigger server',
        endpointUrl: 'https://bigger.example/mcp',
      });

      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          ...before,
          name: 'Bigger server',
          endpointUrl: 'https://bigger.example/mcp',
          updatedAt: expect.any(String),
          revision: 2,
        },
        error: null,
      });
      expect((await seller.get(PATH)).body.data).toEqual(body.data);
    });

    test('activates a PENDING source that gets its credential', async () => {
      await withSource({ authenticationType: 'API_KEY' });

      const { body } = await seller.put(PATH, { auth });

      expect(body.data).toMatchObject({ status: 'ACTIVE', authConfigured: true });
    });

    test.each([
      { from: 'ACTIVE', to: 'DISABLED' },
      { from: 'DISABLED', to: 'ACTIVE' },
    ])('takes a source from $from to $to', async ({ from, to }) => {
      await withSource();
      done(await seller.put(PATH, { status: from }));

      expect((await seller.put(PATH, { status: to })).body.data.status).toBe(to);
    });

    test('takes a PENDING source back as it was read, and leaves it so', async () => {
      const { status, name } = await withSource({ authenticationType: 'API_KEY' });

      const reply = await seller.put(PATH, { status, name });

      expect(reply.status).toBe(200);
      expect(reply.body.data).toMatchObject({ status: 'PENDING', name });
    });

    test('disables a source that never got its credential', async () => {
      await withSource({ authenticationType: 'API_KEY' });

      expect((await seller.put(PATH, { status: 'DISABLED' })).body.data.status).toBe('DISABLED');
    });

    test('replaces a credential, encrypted for its row, and tells it to nobody', async () => {
      const { id } = await withSource({
        authenticationType: 'API_KEY',
        auth: { type: 'api_key', token: 'old-token' },
      });
      const logged = server.log.lines.length;

      const { text } = await seller.put(PATH, { auth });

      const row = await server.store.db
        .selectFrom('inventory_sources')
        .selectAll()
        .where('organization_id', '=', seller.organizationId)
        .executeTakeFirstOrThrow();
      const { secrets } = server.running.app.services.ports;
      expect(JSON.parse(secrets.open(row.auth ?? asSealed(''), authOwner(id)))).toEqual(auth);
      const told = [
        text,
        row,
        await auditOf(server, seller, 'inventory_source_update'),
        server.log.lines.slice(logged),
      ];
      expect(JSON.stringify(told)).not.toContain(TOKEN);
    });

    test('keeps what somebody else wrote in the meantime: a name does not bring an old credential back', async () => {
      await withSource({ auth: { type: 'api_key', token: 'old-token' } });
      between.next(() => seller.put(PATH, { auth, description: 'Theirs.' }));

      const { status, body } = await seller.put(PATH, { name: 'Bigger server' });

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ name: 'Bigger server', description: 'Theirs.' });
      expect(await storedAuth()).toEqual(auth);
      const entries = await auditOf(server, seller, 'inventory_source_update');
      expect(entries.map(({ changes }) => Object.keys(JSON.parse(changes ?? '{}')))).toContainEqual(['name']);
    });

    test('loses none of many writes at once, however they meet', async () => {
      await withSource({ auth: { type: 'api_key', token: 'old-token' } });
      const changes = [{ auth }, { name: 'Bigger server' }, { description: 'Ours.' }, { status: 'DISABLED' }];

      const replies = await Promise.all(changes.map((change) => seller.put(PATH, change)));

      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const { body } = await seller.get(PATH);
      expect(body.data).toMatchObject({ name: 'Bigger server', description: 'Ours.', status: 'DISABLED' });
      expect(await storedAuth()).toEqual(auth);
    });

    test('deletes the credential with NO_AUTH', async () => {
      await withSource({ auth });

      const { body } = await seller.put(PATH, { authenticationType: 'NO_AUTH' });

      expect(body.data).toMatchObject({
        status: 'ACTIVE',
        authenticationType: 'NO_AUTH',
        authConfigured: false,
      });
      expect(await storedAuth()).toBeNull();
    });

    test('takes a credential that is given without a word for API_KEY', async () => {
      await withSource();

      const { body } = await seller.put(PATH, { auth });

      expect(body.data).toMatchObject({ authenticationType: 'API_KEY', authConfigured: true });
      expect(await storedAuth()).toEqual(auth);
    });

    test.each([
      {
        what: 'another path of the host',
        change: { endpointUrl: 'https://ADS.example:443/v2/mcp' },
        kept: true,
      },
      { what: 'another host with its credential', change: { endpointUrl: ELSEWHERE, auth }, kept: true },
      {
        what: 'another host that needs none',
        change: { endpointUrl: ELSEWHERE, authenticationType: 'NO_AUTH' },
        kept: false,
      },
    ])('moves a source with a credential to $what', async ({ change, kept }) => {
      await withSource({ auth });

      const { body } = await seller.put(PATH, change);

      expect(body.data).toMatchObject({
        endpointUrl: new URL(change.endpointUrl).href,
        authConfigured: kept,
      });
      expect(await storedAuth()).toEqual(kept ? auth : null);
    });

    test('takes a protocol and an execution type that are what is stored', async () => {
      await withSource();

      const { status, body } = await seller.put(PATH, {
        name: 'Same server',
        executionType: 'AGENT',
        protocol: 'MCP',
      });

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ name: 'Same server', executionType: 'AGENT', protocol: 'MCP' });
    });

    test('is in the audit log, field by field', async () => {
      await withSource();
      await seller.put(PATH, { name: 'Bigger server' });

      const [entry] = await auditOf(server, seller, 'inventory_source_update');
      expect(entry).toMatchObject({
        action: 'UPDATE',
        outcome: 'succeeded',
        resource_type: 'INVENTORY_SOURCE',
        resource_id: 'main',
        resource_name: 'Bigger server',
      });
      expect(JSON.parse(entry?.changes ?? '')).toEqual({ name: { from: 'Ad server', to: 'Bigger server' } });
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path', async () => {
      await withSource();

      const reply = await seller.put(PATH, {
        name: '',
        status: 'BROKEN',
        endpointUrl: 'nowhere',
        authenticationType: 'TOKEN',
        auth: { type: 'bearer' },
        executionTyp: 'AGENT',
      });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          name: '1 character at the least.',
          status: 'Give one of: PENDING, ACTIVE, DISABLED.',
          endpointUrl: 'Give a web address such as https://acme.example/page.',
          authenticationType: 'Give one of: API_KEY, NO_AUTH.',
          'auth.token': 'Required: give a string.',
          executionTyp: 'Unknown field. Did you mean executionType?',
        },
      });
    });

    test('VALIDATION_ERROR at auth when it is given together with NO_AUTH', async () => {
      await withSource();

      const reply = await seller.put(PATH, { name: '', authenticationType: 'NO_AUTH', auth });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          name: '1 character at the least.',
          auth: 'Leave it out with authenticationType NO_AUTH, or give authenticationType API_KEY.',
        },
      });
    });

    test('VALIDATION_ERROR for a body that names another source than the path', async () => {
      await withSource();

      const reply = await seller.put(PATH, { sourceId: 'other' });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { sourceId: 'Says something else than the path, which has main.' },
      });
      expect(reply.body.error.field).toBe('sourceId');
    });
  });

  describe('422', () => {
    test.each([ELSEWHERE, 'https://ads.example:8443/mcp', 'http://ads.example/mcp'])(
      'VALIDATION_ERROR for a move to %s that would send the credential there, and nothing changes',
      async (endpointUrl) => {
        const before = await withSource({ auth });

        const reply = await seller.put(PATH, { endpointUrl });

        expectRefusal(reply, 422, {
          code: 'VALIDATION_ERROR',
          at: { auth: 'The stored credential was given for another host. Give auth for the new one.' },
        });
        expect(reply.body.error).toMatchObject({
          field: 'auth',
          details: { suggestion: expect.stringContaining('NO_AUTH') },
        });
        expect((await seller.get(PATH)).body.data).toEqual(before);
      },
    );
  });

  describe('of the credential that it has', () => {
    test('changes nothing, and nothing is logged', async () => {
      const before = await withSource({ auth });
      const logged = (await auditOf(server, seller, 'inventory_source_update')).length;

      const same = done(await seller.put(PATH, { auth }));

      expect(same).toEqual(before);
      expect(await auditOf(server, seller, 'inventory_source_update')).toHaveLength(logged);
      const other = done(await seller.put(PATH, { auth: { ...auth, token: `${TOKEN}-2` } }));
      expect(other.revision).toBe(before.revision + 1);
      expect(await storedAuth()).toEqual({ ...auth, token: `${TOKEN}-2` });
    });
  });

  describe('422 of the embedded seller', () => {
    test.each([
      { given: { endpointUrl: ELSEWHERE }, field: 'endpointUrl' },
      { given: { authenticationType: 'NO_AUTH' }, field: 'authenticationType' },
      { given: { auth }, field: 'auth' },
    ])('VALIDATION_ERROR for $field, which it would keep nowhere', async ({ given, field }) => {
      await newShelf(seller);
      const shelf = `${SOURCES}/shelf`;
      const before = done(await seller.get(shelf));

      const reply = await seller.put(shelf, { name: 'Other', ...given });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: {
          [field]: 'The embedded seller has none: leave it out, or make a source of executionType AGENT.',
        },
      });
      expect(done(await seller.get(shelf))).toEqual(before);
    });
  });

  describe('501', () => {
    test('NOT_IMPLEMENTED for another execution type or protocol, and nothing changes', async () => {
      const before = await withSource();

      const reply = await seller.put(PATH, { name: 'Other', executionType: 'MANAGED_SALES_AGENT' });

      expectRefusal(reply, 501, {
        code: 'NOT_IMPLEMENTED',
        at: { executionType: 'Documented, and not built yet.' },
      });
      expect(reply.body.error.field).toBe('executionType');
      const other = await seller.put(PATH, { name: 'Other', protocol: 'A2A' });
      expectRefusal(other, 501, {
        code: 'NOT_IMPLEMENTED',
        at: { protocol: 'Documented, and not built yet.' },
      });
      expect((await seller.get(PATH)).body.data).toEqual(before);
    });
  });

  describe('409', () => {
    const WITHOUT_CREDENTIAL = {
      said: 'It cannot be ACTIVE without a credential.',
      instead:
        'Give auth or set authenticationType to NO_AUTH; set status to DISABLED to take the source out of discovery.',
    };

    test.each([
      {
        what: 'ACTIVE without its credential',
        made: { authenticationType: 'API_KEY' },
        change: { status: 'ACTIVE' },
        ...WITHOUT_CREDENTIAL,
      },
      {
        what: 'back to PENDING',
        made: {},
        change: { status: 'PENDING' },
        said: 'Nothing goes back to PENDING.',
        instead: 'Leave status out; set status to DISABLED to take the source out of discovery.',
      },
      {
        what: 'ACTIVE with a credential asked for and none given',
        made: {},
        change: { authenticationType: 'API_KEY' },
        ...WITHOUT_CREDENTIAL,
      },
    ])('CONFLICT for a source that would become $what, and nothing changes', async (one) => {
      const { made, change, said, instead } = one;
      const before = await withSource(made);

      const reply = await seller.put(PATH, change);

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: `The source cannot change like this. ${said}`,
        details: { suggestion: instead },
      });
      expect((await seller.get(PATH)).body.data).toEqual(before);
      const [entry] = await auditOf(server, seller, 'inventory_source_update');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'CONFLICT', resource_id: 'main' });
    });

    test('CONFLICT when somebody deletes the source in the meantime', async () => {
      await withSource();
      between.next(() => seller.delete(PATH));

      const reply = await seller.put(PATH, { name: 'Too late' });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The inventory source was changed by somebody else in the meantime.',
      });
      expect((await seller.get(PATH)).status).toBe(404);
    });
  });
});
