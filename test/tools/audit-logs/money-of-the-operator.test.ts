import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAdministratorLink } from '../../../adapters/people/administrator-link.ts';
import { setSpendLimit } from '../../../tools/domain/approvals/limits.ts';
import { fundAccount, setCreditLimit } from '../../../tools/domain/ledger/operating.ts';
import { dropPricingRule, setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { giveRole } from '../../../tools/domain/organizations/people.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/audit-logs';

describe('audit_log_list, of what the operator does with money', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  test('tells of pricing rules, and narrows to them', async () => {
    const { organizationId } = buyer;
    await setPricingRule(server.operator, { organizationId, feeBps: 1_250 });
    await dropPricingRule(server.operator, { organizationId });

    const { logs } = done(await buyer.get(`${PATH}?resourceTypes=PRICING_RULE`));

    expect(logs).toMatchObject([
      { changes: { fee: { from: '12.5 %', to: null } } },
      { changes: { fee: { from: '0 %', to: '12.5 %' } } },
    ]);
    expect(done(await buyer.get(PATH)).logs).toEqual(logs);
  });

  test('tells above how much a spend waits for another person, in the log of the account', async () => {
    const other = await newPerson(server);
    const limit = { organizationId: other.organizationId, currency: 'USD' };
    await setSpendLimit(server.operator, { ...limit, limitMinor: 75_000 });
    await setSpendLimit(server.operator, { ...limit, limitMinor: undefined });

    const { logs } = done(await other.get(`${PATH}?resourceTypes=SPEND_LIMIT`));

    expect(logs).toMatchObject([
      { changes: { limit: { from: '750.00 USD', to: null } } },
      { changes: { limit: { from: null, to: '750.00 USD' } } },
    ]);
  });

  test('tells why credit was given, where that was said', async () => {
    const { organizationId } = await newPerson(server);
    const given = { organizationId, currency: 'EUR' };
    await setCreditLimit(server.operator, { ...given, limitMinor: 5_000, reason: 'Signed in May.' });
    await fundAccount(server.operator, { ...given, amountMinor: 100 });

    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select(['tool', 'reason'])
      .where('organization_id', '=', organizationId)
      .where('resource_type', '=', 'ACCOUNT')
      .where('surface', '=', 'operator')
      .where('changes', 'like', '%EUR%')
      .orderBy('id')
      .execute();
    expect(entries.map(({ reason }) => reason)).toEqual(['Signed in May.', null]);
  });

  test('names the operator who did it in either form, also in entries from before it had a name there', async () => {
    const other = await newPerson(server);
    const { organizationId } = other;
    await setPricingRule(server.operator, { organizationId, feeBps: 300 });
    await makeAdministratorLink(server.operator, { organizationId, publicUrl: server.url });
    await setCreditLimit(server.operator, { organizationId, currency: 'USD', limitMinor: 500 });
    const ofIts = server.store.db
      .updateTable('audit_logs')
      .where('organization_id', '=', organizationId)
      .where('surface', '=', 'operator');
    const stored = await server.store.db
      .selectFrom('audit_logs')
      .select(['credential_id', 'credential_name'])
      .distinct()
      .where('organization_id', '=', organizationId)
      .where('surface', '=', 'operator')
      .execute();
    await ofIts
      .set({ credential_id: null, credential_name: null })
      .where('resource_type', '=', 'PRICING_RULE')
      .execute();

    const { logs } = done(await other.get(PATH));
    const { logs: compact } = done(await other.get(`${PATH}?detail=compact`));

    expect(stored).toEqual([{ credential_id: 'operator', credential_name: 'operator' }]);
    const named = { actorName: 'operator', credentialId: 'operator', credentialName: 'operator' };
    expect(logs).toMatchObject([named, named, named]);
    expect(compact).toMatchObject([1, 2, 3].map(() => ({ actorName: 'operator' })));
  });

  test('tells which role somebody had before the operator gave another', async () => {
    const { organizationId } = await newPerson(server);
    const ada = { email: 'ada@acme.example', name: 'Ada', organizationId };
    await giveRole(server.operator, { ...ada, role: 'MEMBER' });
    await giveRole(server.operator, { ...ada, role: 'ADMIN' });

    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select('changes')
      .where('organization_id', '=', organizationId)
      .where('resource_name', '=', ada.email)
      .orderBy('id')
      .execute();
    expect(entries.map(({ changes }) => JSON.parse(changes ?? ''))).toEqual([
      { role: { from: null, to: 'MEMBER' } },
      { role: { from: 'MEMBER', to: 'ADMIN' } },
    ]);
  });
});
