import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mutates, onlyReads } from '../../tools/core/define.ts';
import { tools } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { tenantTables } from '../support/database/tenant-tables.ts';
import { rawClient, stateless } from '../support/mcp/mcp.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What a question to sellers is stored in, and who asked it. */
const OF_QUESTIONS = /^(discovery_|audit_logs$|api_keys$|webhook_deliveries$|mcp_)/;

describe('what only asks sellers, at an address that only reads', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  async function stored(): Promise<unknown[]> {
    const db = server.store.db.withoutPlugins();
    const had: unknown[] = [];
    for (const table of tenantTables.filter((name) => !OF_QUESTIONS.test(name))) {
      const { rows } =
        await sql`select * from ${sql.table(table)} where organization_id = ${buyer.organizationId}`.execute(
          db,
        );
      had.push([table, rows.map((row) => JSON.stringify(row)).sort()]);
    }
    return had;
  }

  test('is discover_products, and product_query which asks the same', () => {
    const kept = tools.filter((tool) => mutates(tool) && onlyReads(tool)).map(({ name }) => name);

    expect(kept).toEqual(['discover_products', 'product_query']);
  });

  test.each([
    ['in its own name', (args: object) => ({ name: 'discover_products', arguments: args })],
    [
      'through api_call',
      (args: object) => ({ name: 'api_call', arguments: { operation: 'discover_products', body: args } }),
    ],
  ])('takes a campaign over %s and leaves it as it is', async (_, call) => {
    const draft = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    const { campaignId, discoveryId } = draft;
    const before = await stored();
    const client = rawClient(server.url);

    const params = call({ advertiserId: Number(advertiserId), campaignId, waitSeconds: 30 });
    const { status, text } = await client.send({
      path: '/mcp/v2/buyer?readonly=true',
      ...stateless(buyer.key, 'tools/call', params),
    });
    client.close();

    expect(status).toBe(200);
    const { result } = JSON.parse(text);
    expect(result.isError ?? false).toBe(false);
    expect(text).toContain('disc_');
    expect(await stored()).toEqual(before);
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.discoveryId).toBe(discoveryId);
  });
});
