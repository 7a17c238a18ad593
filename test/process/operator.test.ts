import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../../tools/domain/organizations/terms.ts';
import { clientFor } from '../support/callers/client.ts';
import { storeOperator, withStore } from '../support/callers/operator.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { done } from '../support/sellers/market.ts';
import { ownService } from '../support/server/own-place.ts';

const KEY = /^rialtok_live_[0-9A-Za-z]{46}$/;

describe('the operator’s command line', () => {
  const here = ownService();
  const { printed } = here;

  /** What the commands are about; making it takes no process of its own. */
  const newOrganization = (options: { terms?: true } = {}) =>
    withStore(here.settings, async (store) => {
      const operator = storeOperator(store);
      const { organization } = await createOrganization(operator, { name: 'Acme', roles: ['BUYER'] });
      if (options.terms === true) await acceptTerms(operator, organization.id);
      return String(organization.id);
    });

  const heldKey = (organization: string) =>
    withStore(here.settings, (store) =>
      createKey(storeOperator(store), {
        organizationId: Number(organization),
        name: 'Held',
        permissions: ['buyer:read', 'buyer:write'],
      }),
    );

  async function newKey(...options: string[]): Promise<{ id: string; value: string }> {
    const [first = '', value = ''] = (await printed('key', 'create', ...options)).split('\n');
    const [, id = ''] = /^Key (key_\w+), shown this once:$/.exec(first) ?? [];
    return { id, value };
  }

  test('makes an organization and a key that works at once, beside the running service', async () => {
    const made = await printed(
      ...['organization', 'create', '--name', 'Acme', '--buys', '--sells'],
      ...['--domain', 'acme.example', '--accept-terms'],
    );
    const organization = /^Organization (\d+): Acme$/m.exec(made)?.[1] ?? '';

    const { id, value } = await newKey('--organization', organization, '--name', 'Robot');

    expect(id).toMatch(/^key_\w+$/);
    expect(value).toMatch(KEY);
    const called = await clientFor(here.url, value).post('/buyer/advertisers', {
      name: 'Acme',
      brand: 'acme.example',
      saveBrand: true,
      primaryCurrency: 'USD',
    });
    expect(called.status).toBe(201);
    const listed = await printed('organization', 'list');
    expect(listed).toMatch(new RegExp(`^${organization}\tAcme\tcustomer\tstandard\t.*BUYER.*SELLER`, 'm'));
  });

  test('keeps a key as its SHA-256 alone, and shows it masked', async () => {
    const organization = await newOrganization();
    const { id, value } = await newKey('--organization', organization);

    const row = await withStore(here.settings, ({ db }) =>
      db
        .selectFrom('api_keys')
        .selectAll()
        .where('organization_id', '=', Number(organization))
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    );

    expect(row.hash).toBe(hash('sha256', value, 'hex'));
    expect(JSON.stringify(row)).not.toContain(value);
    const listed = await printed('key', 'list', '--organization', organization);
    expect(listed).toContain(`rialtok_live_…${value.slice(-4)}`);
    expect(listed).not.toContain(value);
  });

  test('revokes a key: the very next request with it is refused', async () => {
    const organization = await newOrganization();
    const { id, value } = await heldKey(organization);
    const holder = clientFor(here.url, value);
    expect((await holder.get('/buyer/advertisers')).status).toBe(200);

    await printed('key', 'revoke', '--organization', organization, '--id', id);

    const refused = await holder.get('/buyer/advertisers');
    expectRefusal(refused, 401, {
      code: 'UNAUTHORIZED',
      words: 'The credential is unknown, expired or revoked.',
    });
    expect(await printed('key', 'list', '--organization', organization)).toContain('\trevoked 20');
  });

  test('gives a key only the permissions that are named', async () => {
    const organization = await newOrganization({ terms: true });
    const { value } = await newKey('--organization', organization, '--permissions', 'buyer:read');

    const refused = await clientFor(here.url, value).post('/buyer/advertisers', {
      name: 'Acme',
      brand: 'acme.example',
      saveBrand: true,
      primaryCurrency: 'USD',
    });

    expectRefusal(refused, 403, { code: 'FORBIDDEN', words: 'This call needs the permission buyer:write.' });
  });

  test('accepts the terms for an organization, which may change nothing before', async () => {
    const organization = await newOrganization();
    const { value } = await heldKey(organization);
    const holder = clientFor(here.url, value);
    const fields = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };
    expectRefusal(await holder.post('/buyer/advertisers', fields), 403, {
      code: 'TOS_ACCEPTANCE_REQUIRED',
      words: 'The organization has not accepted version 1 of the terms of service.',
    });

    await printed('terms', 'accept', '--organization', organization);

    expect((await holder.post('/buyer/advertisers', fields)).status).toBe(201);
  });

  test('opts an organization in to what is in alpha and out, and has it wait or lets it onto the market', async () => {
    const organization = await newOrganization();
    const standing = () =>
      withStore(here.settings, ({ db }) =>
        db
          .withoutPlugins()
          .selectFrom('organizations')
          .select(['alpha', 'admission'])
          .where('id', '=', Number(organization))
          .executeTakeFirstOrThrow(),
      );
    const before = await standing();

    await printed('organization', 'alpha', 'on', '--organization', organization);
    await printed('organization', 'admission', 'waitlisted', '--organization', organization);
    const changed = await standing();
    await printed('organization', 'alpha', 'off', '--organization', organization);
    await printed('organization', 'admission', 'admitted', '--organization', organization);

    expect(before).toEqual({ alpha: 0, admission: 'admitted' });
    expect(changed).toEqual({ alpha: 1, admission: 'waitlisted' });
    expect(await standing()).toEqual(before);
  });

  test('binds a key to an account that it adds, and narrows it to one advertiser', async () => {
    const organization = await newOrganization({ terms: true });
    const added = await printed(
      ...['account', 'create', '--organization', organization, '--name', 'Second', '--role', 'BUYER'],
    );
    const account = /^Account (\d+): BUYER$/.exec(added)?.[1] ?? '';
    const { id, value } = await newKey('--organization', organization, '--account', account);
    const holder = clientFor(here.url, value);
    const fields = { brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };
    const mine = done(await holder.post('/buyer/advertisers', { ...fields, name: 'Mine' })).id;
    const other = done(await holder.post('/buyer/advertisers', { ...fields, name: 'Other' })).id;

    await printed(
      ...['grant', 'add', '--organization', organization, '--holder', `api_key:${id}`, '--advertiser', mine],
    );

    expect((await holder.get(`/buyer/advertisers/${mine}`)).status).toBe(200);
    expect((await holder.get(`/buyer/advertisers/${other}`)).status).toBe(403);
  });

  test('adds a person with a role', async () => {
    const organization = await newOrganization();

    const added = await printed(
      ...['user', 'add', '--organization', organization, '--email', 'Ann@Acme.example', '--role', 'ADMIN'],
    );

    expect(added).toMatch(/^User \d+: ADMIN$/);
  });
});
