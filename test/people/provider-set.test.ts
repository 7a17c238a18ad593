import { InsertQueryNode, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerSet } from '../../adapters/cli/people-tasks.ts';
import { newPerson } from '../support/callers/people.ts';
import { countRows, grown } from '../support/database/row-counts.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';
import { tablesOf } from '../support/database/scope-rules.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('rialto provider set', () => {
  let isFull = false;
  const disk: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (isFull && InsertQueryNode.is(node) && tablesOf(node).includes('organization_providers')) {
        throw new Error('The disk is full.');
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, store: { plugins: [new ScopeGuard(), disk] } });
  });
  afterAll(() => server.stop());

  test('verifies, takes away and names in one transaction, or does nothing', async () => {
    const [before, owner] = [await newPerson(server), await newPerson(server)];
    const domain = 'sign-in.example';
    const provider = { domain, issuer: 'https://login.example', clientId: 'x', clientSecret: 'hidden' };
    const name = (organization: number) =>
      providerSet(server.operator, server.config, { organization, ...provider });
    await name(before.organizationId);
    await server.store.db
      .updateTable('organization_domains')
      .set({ verified_at: null, verified_domain: null })
      .where('organization_id', '=', before.organizationId)
      .execute();
    const rows = await countRows(server.store);

    isFull = true;
    await expect(name(owner.organizationId)).rejects.toThrow('The disk is full.');

    expect(grown(rows, await countRows(server.store))).toEqual({});
    isFull = false;
    await name(owner.organizationId);
    expect(grown(rows, await countRows(server.store))).toEqual({ audit_logs: 3, organization_domains: 1 });
  });

  test('is unchanged, and not in the log again, where the provider is named already with that secret', async () => {
    const { organizationId: organization } = await newPerson(server);
    const provider = { domain: 'twice.example', issuer: 'https://login.example', clientId: 'x' };
    const name = (clientSecret: string) =>
      providerSet(server.operator, server.config, { organization, ...provider, clientSecret });
    const kept = () =>
      server.store.db
        .selectFrom('organization_providers')
        .selectAll()
        .where('organization_id', '=', organization)
        .execute();
    await name('first');
    const [rows, before] = [await countRows(server.store), await kept()];

    expect(await name('first')).toMatch(/^Unchanged: People at twice\.example sign in at /);
    expect(grown(rows, await countRows(server.store))).toEqual({});
    expect(await kept()).toEqual(before);

    expect(await name('second')).toMatch(/^People at twice\.example /);
    expect(grown(rows, await countRows(server.store))).toEqual({ audit_logs: 1 });
    expect(await kept()).not.toEqual(before);
  });

  test('refuses a provider over http where no range is open for it, and takes it where one is', async () => {
    const { organizationId: organization } = await newPerson(server);
    const provider = { organization, domain: 'http.example', clientId: 'x', clientSecret: 'hidden' };
    const name = (issuer: string, config = server.config) =>
      providerSet(server.operator, config, { ...provider, issuer });
    const rows = await countRows(server.store);

    await expect(name('http://login.example')).rejects.toThrow(
      '--issuer: over http a provider is asked only in the ranges of OIDC_ALLOWED_CIDRS, which opens none.',
    );
    expect(grown(rows, await countRows(server.store))).toEqual({});
    const open = { ...server.config, oidcAllowedCidrs: ['10.0.0.0/8'] };
    expect(await name('http://login.example', open)).toContain('sign in at http://login.example.');
  });
});
