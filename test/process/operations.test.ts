import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { createMeter } from '../../adapters/operations/meter.ts';
import { openOperations } from '../../adapters/operations/operations.ts';
import type { Clock } from '../../tools/core/ports.ts';
import { walk } from '../journeys/walk.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { engine } from '../support/database/database.ts';
import { START } from '../support/run/clock.ts';
import { freePort } from '../support/run/free-port.ts';
import { recordingLog } from '../support/run/log.ts';
import { openSocket, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const TOKEN = 'operator-token-of-forty-characters-or-so';
/** The labels there are: a name of nobody is among them. */
const LABELS = [
  'database',
  'kind',
  'le',
  'limit',
  'operation',
  'outcome',
  'quantile',
  'route',
  'status',
  'to',
  'tool',
  'version',
  'why',
  'work',
];
/** An id in a path, one of ours, an address of a person. */
const NAMES = /\/\d+\b|_[a-z0-9]{16,}|@/;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(settings: Readonly<Record<string, string>> = {}, clock?: Clock) {
  const port = await freePort();
  const server = await startTestServer({
    settings: { METRICS_PORT: String(port), ...settings },
    ...(clock === undefined ? {} : { clock }),
  });
  closing.push(() => server.stop());
  return { server, own: `http://127.0.0.1:${port}` };
}

const asked = (path: string, host: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function readiness(url: string): Promise<{ status: number; code: string; said: string }> {
  const { status, body } = await clientFor(url).get(`${url}/readyz`);
  const { data, error } = body;
  return { status, code: error?.code ?? '', said: error?.message ?? data.status };
}

/** The value of each series, by its name with labels. */
async function measured(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe('the operator’s port', () => {
  test('counts requests by route and status, and calls by tool and outcome, over REST and MCP', async () => {
    const { server, own } = await started();
    const person = await newPerson(server);
    await person.get('/buyer/campaigns/987654321');
    await person.get('/buyer/campaigns');
    await person.get('/buyer/campaigns');
    await person.get('/nowhere/987654321');

    const values = await measured(own);

    const route = 'route="GET /api/v2/buyer/campaigns"';
    expect(values.get(`rialto_http_requests_total{${route},status="200"}`)).toBe(2);
    expect(values.get('rialto_tool_calls_total{tool="campaign_list",outcome="ok"}')).toBe(2);
    expect(values.get('rialto_tool_calls_total{tool="campaign_get",outcome="NOT_FOUND"}')).toBe(1);
    expect(values.get(`rialto_http_request_duration_seconds_count{${route},status="200"}`)).toBe(2);
    expect(values.get(`rialto_http_request_duration_seconds_bucket{${route},status="200",le="+Inf"}`)).toBe(
      2,
    );
    expect([...values.keys()].join('\n')).not.toContain('987654321');
  });

  test('gives gauges of the process, its event loop, its streams, its queues and its database', async () => {
    const { own } = await started();

    const values = await measured(own);

    expect(values.get('rialto_ready')).toBe(1);
    expect(values.get('rialto_database_up')).toBe(1);
    expect(values.get('rialto_streams_open')).toBe(0);
    expect(values.get('rialto_webhook_backlog')).toBe(0);
    expect(values.get('rialto_webhook_oldest_pending_seconds')).toBe(0);
    expect(values.get('rialto_discovery_sessions_collecting')).toBe(0);
    expect(values.get('rialto_orders_sending')).toBe(0);
    expect(values.get('rialto_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect([...values.keys()].some((key) => key.startsWith('rialto_build_info'))).toBe(true);
    expect(values.has('rialto_wal_bytes')).toBe(engine === 'sqlite');
  });

  test('names no organization, account, person or object in a label, whatever was called', async () => {
    const { server, own } = await started();
    await walk(server);

    const series = [...(await measured(own)).keys()];

    const labels = series.flatMap((one) => [...one.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
    expect([...new Set(labels)].toSorted()).toEqual(LABELS);
    expect(series.filter((one) => NAMES.test(one))).toEqual([]);
  });

  test('makes one series of all methods of MCP that somebody made up', async () => {
    const { server, own } = await started();
    const person = await newPerson(server);
    for (const method of ['made/up', 'also/made_up']) {
      await fetch(`${server.url}/mcp/v2/buyer`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${person.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
      });
    }

    const routes = [...(await measured(own)).keys()].filter((key) => key.includes('route="mcp'));

    expect(routes.some((key) => key.includes('route="mcp other"'))).toBe(true);
    expect(routes.join('\n')).not.toMatch(/made/);
  });

  test('is closed to who calls this machine by another name', async () => {
    const { own } = await started();

    const { status } = await sendBytes(own, asked('/metrics', 'rebound.example'));

    expect(status).toBe(400);
  });

  test('is open at the one address of this machine alone, whatever the service listens at', async () => {
    const { own } = await started({ HOST: '0.0.0.0' });
    const beside = (name: string) => fetch(`${own.replace('127.0.0.1', name)}/healthz`);

    expect((await fetch(`${own}/healthz`)).status).toBe(200);
    // Another address of the same machine, which every listener but one of 127.0.0.1 answers at.
    await expect(beside('127.0.0.2')).rejects.toThrow();
    await expect(beside('[::1]')).rejects.toThrow();
  });
});

describe('the port of the service', () => {
  test('gives metrics to the operator’s token alone', async () => {
    const { server } = await started({ OPERATOR_TOKEN: TOKEN });

    const [without, wrong, right] = [
      await fetch(`${server.url}/metrics`),
      await fetch(`${server.url}/metrics`, bearer(`${TOKEN}x`)),
      await fetch(`${server.url}/metrics`, bearer(TOKEN)),
    ];

    expect([without.status, wrong.status, right.status]).toEqual([401, 401, 200]);
    expect(without.headers.get('www-authenticate')).toBe('Bearer realm="operator"');
    const refused = { status: wrong.status, body: await wrong.json() };
    expectRefusal(refused, 401, { code: 'UNAUTHORIZED', words: 'Metrics need the token of the operator.' });
    expect(right.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await right.text()).toContain('\nrialto_ready 1\n');
  });

  test('has no metrics where the operator has no token', async () => {
    const { server } = await started();

    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });
});

describe('what cannot be told', () => {
  test('is refused as every call is, and the log says with what it failed', async () => {
    const { server, own } = await started();
    const lost = new Error('The seats were lost.');
    Object.defineProperty(server.running.app.seats, 'taken', {
      get: () => {
        throw lost;
      },
    });

    const refused = await clientFor(own).get(`${own}/metrics`);

    expectRefusal(refused, 500, { code: 'INTERNAL_ERROR', words: 'Something went wrong on our side.' });
    expect(refused.text).not.toContain('seats');
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([
      { level: 'error', fields: { err: lost }, message: 'telling the operator failed' },
    ]);
  });

  test('by the database is in the log as well, whatever the answer says', async () => {
    const { server, own } = await started();
    const db = server.store.db.withoutPlugins();
    await sql`alter table processes rename to processes_away`.execute(db);

    const { status, said } = await readiness(own);

    await sql`alter table processes_away rename to processes`.execute(db);
    expect([status, said]).toEqual([503, 'The database does not answer.']);
    expect(server.log.lines).toContainEqual(
      expect.objectContaining({ message: 'asking the database how the service is failed' }),
    );
  });
});

describe('readiness', () => {
  test('is 503 while the service starts, which lives all the same', async () => {
    const operations = await openOperations(
      { metricsPort: 0, operatorToken: undefined },
      {
        meter: createMeter([]),
        log: recordingLog(),
      },
    );
    closing.push(() => operations.close());
    const url = operations.url ?? '';

    expect(await readiness(url)).toEqual({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      said: 'The service is starting.',
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('is 200 on both ports once callers are answered, under whatever Host a balancer calls', async () => {
    const { server, own } = await started();

    expect(await readiness(own)).toEqual({ status: 200, code: '', said: 'ready' });
    expect(await readiness(server.url)).toEqual({ status: 200, code: '', said: 'ready' });
    expect((await sendBytes(server.url, asked('/readyz', '10.9.8.7'))).status).toBe(200);
  });

  test('is 503 while the service stops, until the last request is answered', async () => {
    const { server, own } = await started();
    const held = await halfARequest(server);

    const stopped = server.running.stop();
    await turn();
    const during = await readiness(own);
    held.destroy();
    await stopped;

    expect(during).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE', said: 'The service is stopping.' });
    await expect(fetch(`${own}/readyz`)).rejects.toThrow();
  });

  test('is 503 when the database takes no writes any more, and the process lives', async () => {
    let now = START;
    const clock = { now: () => now, after: () => () => {} };
    const { server, own } = await started({}, clock);
    expect((await readiness(own)).status).toBe(200);

    now += server.config.processLeaseMs + 1;

    expect(await readiness(own)).toEqual({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      said: 'The database does not take writes.',
    });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

/** A connection that has begun to ask: a stop waits for it. */
async function halfARequest({ url }: TestServer): Promise<Socket> {
  const socket = await openSocket(url);
  await new Promise((resolve) => socket.write('GET /health HTTP/1.1\r\nHost: 127', resolve));
  return socket;
}
