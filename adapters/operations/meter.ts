import type { Log, RequestLine } from '../../tools/core/context.ts';
import type { Tally } from '../../tools/core/ports.ts';
import { Counts, Durations } from './counts.ts';
import { type Metric, numberOf, type Sample } from './exposition.ts';

/** What clients of MCP may call beside tools. Any other word is one that somebody made up. */
const MCP_WORDS: ReadonlySet<string> = new Set([
  'answer',
  'batch',
  'completion/complete',
  'delete',
  'get',
  'initialize',
  'notifications/cancelled',
  'notifications/initialized',
  'ping',
  'post',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
]);
const MCP = 'mcp ';
const MCP_OTHER = 'mcp other';
/** Where no route was found. */
const NO_ROUTE = 'none';

/** What one process has counted since it started. No tenant is in any label. */
export interface Meter extends Tally {
  request(line: Pick<RequestLine, 'target' | 'status' | 'ms'>): void;
  seller(operation: string, outcome: string): void;
  metrics(): Metric[];
}

/** `tools`: the names of the capabilities that are served. */
export function createMeter(tools: Iterable<string>): Meter {
  const words = new Set([...MCP_WORDS, ...tools].map((word) => `${MCP}${word}`));
  const [requests, calls, deliveries, sellers] = [new Counts(), new Counts(), new Counts(), new Counts()];
  const durations = new Map<string, Durations>();
  return {
    request: ({ target, status, ms }) => {
      const route = routeOf(target, words);
      requests.add(route, STATUSES[status] ?? 'other');
      durationsOf(durations, route).add(ms / 1_000);
    },
    call: (tool, outcome) => calls.add(tool, outcome),
    delivery: (outcome) => deliveries.add(outcome, ''),
    seller: (operation, outcome) => sellers.add(operation, outcome),
    metrics: () => [
      {
        name: 'rialto_http_requests_total',
        help: 'Requests that were answered, by route or MCP tool and status.',
        type: 'counter',
        samples: samplesOf(requests, 'route', 'status'),
      },
      {
        name: 'rialto_http_request_duration_seconds',
        help: 'Seconds until the answer was over, by route or MCP tool. Streams count as long as they were open.',
        type: 'histogram',
        samples: [...durations].flatMap(([route, taken]) => histogramOf(route, taken)),
      },
      {
        name: 'rialto_tool_calls_total',
        help: 'Calls of capabilities over REST and MCP, by tool and outcome: ok, or the code of the error.',
        type: 'counter',
        samples: samplesOf(calls, 'tool', 'outcome'),
      },
      {
        name: 'rialto_webhook_deliveries_total',
        help: 'Attempts to deliver an event, by outcome.',
        type: 'counter',
        samples: [...deliveries.entries()].map(([outcome, , value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'rialto_seller_calls_total',
        help: 'Calls of sellers, by operation and outcome: ok, or why there was no answer.',
        type: 'counter',
        samples: samplesOf(sellers, 'operation', 'outcome'),
      },
    ],
  };
}

/** Every status as text, so that none is made while counting. */
const STATUSES: readonly string[] = Array.from({ length: 600 }, (_, status) => String(status));

function routeOf(target: string, words: ReadonlySet<string>): string {
  if (!target.startsWith(MCP)) return target === '' ? NO_ROUTE : target;
  return words.has(target) ? target : MCP_OTHER;
}

const ROUTES_MAX = 2_000;

function durationsOf(known: Map<string, Durations>, route: string): Durations {
  const present = known.get(route);
  if (present !== undefined) return present;
  const name = known.size < ROUTES_MAX ? route : 'other';
  const made = known.get(name) ?? new Durations();
  known.set(name, made);
  return made;
}

function samplesOf(counts: Counts, first: string, second: string): Sample[] {
  return [...counts.entries()].map(([one, two, value]) => ({
    labels: { [first]: one, [second]: two },
    value,
  }));
}

function histogramOf(route: string, taken: Durations): Sample[] {
  const buckets = taken.cumulative();
  return [
    ...buckets.map(({ upTo, count }) => ({
      suffix: '_bucket' as const,
      labels: { route, le: numberOf(upTo) },
      value: count,
    })),
    { suffix: '_sum', labels: { route }, value: taken.seconds },
    { suffix: '_count', labels: { route }, value: buckets.at(-1)?.count ?? 0 },
  ];
}

/** The log of a process whose requests are counted where they are logged: each passes there once, at its end. */
export function countingLog(log: Log, meter: Meter): Log {
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    request: (line) => {
      meter.request(line);
      log.request(line);
    },
  };
}
