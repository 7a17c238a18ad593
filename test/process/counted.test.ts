import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expositionOf } from '../../adapters/operations/exposition.ts';
import { createMeter } from '../../adapters/operations/meter.ts';
import { openOutbound } from '../../adapters/process/outbound.ts';
import { newPerson } from '../support/callers/people.ts';
import { engine } from '../support/database/database.ts';
import { callTool } from '../support/mcp/mcp-call.ts';
import { freePort } from '../support/run/free-port.ts';
import { measuredAt, readExposition, valueIn } from '../support/server/exposition.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const TOKEN = 'operator-token-of-forty-characters-or-so';

function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

describe('what is counted', () => {
  let server: TestServer;
  let own: string;
  beforeAll(async () => {
    const port = await freePort();
    server = await startTestServer({
      settings: { METRICS_PORT: String(port), OPERATOR_TOKEN: TOKEN, RATE_LIMIT_PREMIUM: '1' },
    });
    own = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.stop());

  /** By how much a series grows while this is done. */
  async function growth(series: string, work: () => Promise<unknown>): Promise<number> {
    const before = valueIn(await measuredAt(own), series) ?? 0;
    await work();
    return (valueIn(await measuredAt(own), series) ?? 0) - before;
  }

  test('is told in the format of Prometheus, each histogram with buckets that grow up to its count', async () => {
    await (await newPerson(server)).get('/buyer/campaigns');

    const families = await measuredAt(own);

    const histograms = [...families.values()].filter(({ type }) => type === 'histogram');
    expect(histograms).toHaveLength(2);
    for (const { series } of histograms) {
      const buckets = [...series].filter(([key]) => key.startsWith('_bucket'));
      const byLabels = groupedBy(buckets, ([key]) => key.slice('_bucket'.length).replace(/,?le="[^"]*"/, ''));
      for (const [labels, steps] of byLabels) {
        const counts = steps.map(([, count]) => count);
        expect(counts).toEqual(counts.toSorted((one, other) => one - other));
        expect(series.get(`_count${labels === '{}' ? '' : labels}`)).toBe(counts.at(-1));
      }
    }
  });

  test('of requests is by route and status, their seconds too', async () => {
    const person = await newPerson(server);
    const labels = 'route="GET /api/v2/buyer/campaigns/{campaignId}",status="404"';
    const ask = () => person.get('/buyer/campaigns/987654321');

    expect(await growth(`rialto_http_requests_total{${labels}}`, ask)).toBe(1);
    expect(await growth(`rialto_http_request_duration_seconds_count{${labels}}`, ask)).toBe(1);
  });

  test('of calls tells those over MCP apart', async () => {
    const person = await newPerson(server);
    const over = (name: string) => `${name}{tool="campaign_list",outcome="ok"}`;
    const rest = () => person.get('/buyer/campaigns');
    const mcp = () => callTool(server, person, { name: 'campaign_list', arguments: {} });

    expect(await growth(over('rialto_mcp_tool_calls_total'), rest)).toBe(0);
    expect(await growth(over('rialto_mcp_tool_calls_total'), mcp)).toBe(1);
    expect(await growth(over('rialto_tool_calls_total'), async () => [await rest(), await mcp()])).toBe(2);
  });

  test('of credentials that are refused is by kind, that of the operator among them', async () => {
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const failures = (kind: string) => `rialto_auth_failures_total{kind="${kind}"}`;
    const { key } = await newPerson(server);
    const wrongKey = `${key.slice(0, -8)}00000000`;

    expect(
      await growth(failures('credential'), () =>
        fetch(`${server.url}/api/v2/buyer/campaigns`, bearer(wrongKey)),
      ),
    ).toBe(1);
    expect(
      await growth(failures('token'), () => fetch(`${server.url}/api/v2/buyer/campaigns`, bearer('a.b.c'))),
    ).toBe(1);
    expect(await growth(failures('operator'), () => fetch(`${server.url}/metrics`, bearer('wrong')))).toBe(1);
  });

  test('of what is refused at limits is by limit, each of which is there before it is met', async () => {
    const limits = (await measuredAt(own)).get('rialto_rate_limited_total')?.series;
    const person = await newPerson(server, { tier: 'premium' });
    await person.get('/buyer/campaigns');

    expect(limits?.get('{limit="ip"}')).toBe(0);
    expect(limits?.get('{limit="streams"}')).toBe(0);
    expect(
      await growth('rialto_rate_limited_total{limit="premium"}', () => person.get('/buyer/campaigns')),
    ).toBe(1);
  });

  test('of transactions is how long they took, and what was in their way', async () => {
    const { store } = server.running.app.services;
    const lost = Object.assign(new Error('lost'), { severity: 'ERROR', code: '40001' });
    let tries = 0;
    const work = () =>
      store.transaction(async () => {
        tries += 1;
        if (tries === 1) throw lost;
      });

    expect(await growth('rialto_db_busy_total{why="conflict"}', work)).toBe(1);
    expect(await growth('rialto_db_tx_seconds_count', work)).toBeGreaterThanOrEqual(1);
    const bytes = valueIn(await measuredAt(own), 'rialto_wal_bytes');
    expect(bytes === undefined).toBe(engine === 'postgres');
  });

  test('of calls out that are kept from a closed address is by whom they were meant for', async () => {
    const meter = createMeter([]);
    const { webhookGuard } = openOutbound(server.config, meter);

    await new Promise((resolve) => webhookGuard.lookup('localhost', {}, resolve));

    const told = readExposition(expositionOf(meter.metrics()));
    expect(valueIn(told, 'rialto_outbound_blocked_total{to="webhook"}')).toBe(1);
    expect(valueIn(told, 'rialto_outbound_blocked_total{to="seller"}')).toBe(0);
  });
});
