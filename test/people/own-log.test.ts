import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerSet } from '../../adapters/cli/people-tasks.ts';
import { makeAdministratorLink } from '../../adapters/people/administrator-link.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey, revokeKey } from '../../tools/domain/organizations/keys.ts';
import { changeStanding, suspendOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { acceptTerms } from '../../tools/domain/organizations/terms.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newNewcomer } from '../support/callers/newcomers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { linkIn } from '../support/server/mail.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Entry {
  readonly tool: string;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceName: string | null;
  readonly changes: Readonly<Record<string, unknown>> | null;
}

describe('an organization reads in its own log', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { MAILS_PER_IP: '1000', SIGNUPS_PER_HOUR: '1000' } });
  });
  afterAll(() => server.stop());

  const logOf = async (person: Person, path = '/buyer'): Promise<readonly Entry[]> => {
    const { status, body } = await person.get(`${path}/audit-logs?take=500&detail=full`);
    expect(status).toBe(200);
    return body.data.logs;
  };
  const namesIn = (log: readonly Entry[], type: string) =>
    log.filter(({ resourceType }) => resourceType === type).map(({ resourceName }) => resourceName);

  test('who was given a role by the operator', async () => {
    const owner = await newPerson(server);
    const email = newAddress();

    await giveRole(server.operator, { ...owner, email, name: '', role: 'MEMBER' });

    expect(namesIn(await logOf(owner), 'USER')).toContain(email);
  });

  test('who came by an invitation, and by their domain or with its administrator’s leave', async () => {
    const owner = await newPerson(server);
    const { organizationId } = owner;
    const domain = `own-log-${organizationId}.example`;
    const admin = await managerOf(server, organizationId);
    const guest = await newNewcomer(server);
    await admin.post('/invitations', { email: guest.email });
    const token = linkIn(await server.mail.next(guest.email)).replace(/^.*\//, '');
    await guest.post('/signup/invitations', { token });
    await verifyDomain(server.operator, { organizationId, domain });
    const joining = await newNewcomer(server, { email: `ada@${domain}` });
    const policy = (to: string) => admin.patch(`/domains/${domain}`, { policy: to });
    expect((await policy('auto_approve')).status).toBe(200);
    await joining.post('/signup/join-requests', {});
    expect((await policy('request_approval')).status).toBe(200);
    const asking = await newNewcomer(server, { email: `bob@${domain}` });
    await asking.post('/signup/join-requests', {});

    const log = await logOf(owner);

    expect(namesIn(log, 'MEMBER')).toEqual(expect.arrayContaining([guest.email, joining.email]));
    expect(namesIn(log, 'JOIN_REQUEST')).toContain(asking.email);
    expect(namesIn(log, 'DOMAIN')).toContain(domain);
  });

  test('who became an administrator by a link that was printed, and that it was', async () => {
    const owner = await newPerson(server);
    const link = await makeAdministratorLink(server.operator, { ...owner, publicUrl: server.url });
    const email = newAddress();
    const { pathname, search } = new URL(link);

    const given = { email, name: 'Ada', password: PASSWORD };
    const { status } = await browserClient(server.url).submit(`${pathname}${search}`, given);

    expect(status).toBe(303);
    const log = await logOf(owner);
    expect(log.map(({ tool }) => tool)).toContain('first_administrator');
    expect(namesIn(log, 'USER')).toContain(email);
    expect(log.some(({ changes }) => changes?.['administratorLink'] !== undefined)).toBe(true);
  });

  test('what the operator decided of all of it: keys, terms, suspension, the market and alpha', async () => {
    const owner = await newPerson(server, { terms: false });
    const { organizationId } = owner;
    const permissions = ['buyer:read'] as const;
    const { id } = await createKey(server.operator, { organizationId, name: 'By the operator', permissions });
    await revokeKey(server.operator, { organizationId, id });
    await acceptTerms(server.operator, organizationId);
    await suspendOrganization(server.operator, { organizationId, isSuspended: true });
    await suspendOrganization(server.operator, { organizationId, isSuspended: false });
    await changeStanding(server.operator, organizationId, { alpha: true, admission: 'waitlisted' });

    const log = await logOf(owner);

    const ofKey = log.filter(({ resourceName }) => resourceName === 'By the operator');
    expect(ofKey.map(({ action }) => action)).toEqual(['DELETE', 'CREATE']);
    const said = (type: string, field: string) =>
      log.flatMap(({ resourceType, changes }) =>
        resourceType === type && changes?.[field] !== undefined ? [changes[field]] : [],
      );
    expect(said('TERMS', 'accepted')).toEqual([{ from: false, to: true }]);
    expect(said('ORGANIZATION', 'suspended')).toEqual([
      { from: true, to: false },
      { from: false, to: true },
    ]);
    expect(said('ORGANIZATION', 'alpha')).toEqual([{ from: false, to: true }]);
    expect(said('ORGANIZATION', 'admission')).toEqual([{ from: 'admitted', to: 'waitlisted' }]);
  });

  test('to which of its advertisers the operator narrowed a key', async () => {
    const owner = await newPerson(server);
    const { organizationId, keyId } = owner;
    const advertiserId = Number(await newAdvertiser(owner));

    await giveGrant(server.operator, { organizationId, holder: `api_key:${keyId}`, advertiserId });

    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select(['customer_id', 'resource_id'])
      .where('organization_id', '=', organizationId)
      .where('resource_type', '=', 'GRANT')
      .execute();
    expect(entries).toEqual([{ customer_id: owner.accounts.BUYER, resource_id: `api_key:${keyId}` }]);
  });

  test('which identity provider was named for it, and that the one of another is over', async () => {
    const [before, owner] = [await newPerson(server), await newPerson(server)];
    const domain = `sign-in-${owner.organizationId}.example`;
    const provider = { domain, issuer: 'https://login.example', clientId: 'x', clientSecret: 'hidden' };
    const name = ({ organizationId }: Person) =>
      providerSet(server.operator, server.config, { organization: organizationId, ...provider });
    await name(before);
    // The operator has seen that it is another’s now.
    await server.store.db
      .updateTable('organization_domains')
      .set({ verified_at: null, verified_domain: null })
      .where('organization_id', '=', before.organizationId)
      .where('domain', '=', domain)
      .execute();

    await name(owner);

    const told = async (person: Person) =>
      (await logOf(person)).flatMap(({ changes }) => (changes?.['identityProvider'] ? [changes] : []));
    const said = (kept: (value: string) => object) => ({
      identityProvider: kept(domain),
      issuer: kept(provider.issuer),
      clientId: kept('x'),
    });
    const named = { ...said((to) => ({ from: null, to })), clientSecret: '[secret]' };
    expect(await told(before)).toEqual([said((from) => ({ from, to: null })), named]);
    expect(await told(owner)).toEqual([named]);
    expect(namesIn(await logOf(owner), 'DOMAIN')).toEqual([domain]);
  });

  test('all of that where it only sells, beside its terms', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'], terms: false });
    const admin = await managerOf(server, seller.organizationId);
    expect((await admin.post('/accept-tos', {})).status).toBe(200);
    const guest = newAddress();
    expect((await admin.post('/invitations', { email: guest })).status).toBe(201);

    const log = await logOf(seller, '/storefront');

    expect(namesIn(log, 'INVITATION')).toEqual([guest]);
    expect(log.map(({ resourceType }) => resourceType)).toContain('TERMS');
  });
});
