import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropPricingRule, setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { done } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

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

    expect(logs).toHaveLength(2);
    expect(done(await buyer.get(PATH)).logs).toEqual(logs);
  });
});
