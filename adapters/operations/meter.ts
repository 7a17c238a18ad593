import type { DatabaseTally } from '../../store/engine/database-tally.ts';
import type { Log, RequestLine } from '../../tools/core/context.ts';
import type { Tally } from '../../tools/core/ports.ts';
import { failureReason } from '../../tools/domain/webhooks/reasons.ts';
import { Counts, Durations, Singles } from './counts.ts';
import { counter, type Metric, type Sample } from './exposition.ts';
import { histogramOf, RequestCounts } from './request-counts.ts';

/** What clients of MCP may call beside tools. */
const MCP_WORDS = [
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
];

/** Whom a call out was meant for that the guard of addresses did not let go. */
type Outward = 'seller' | 'webhook' | 'provider';

/** What one process has counted since it started. No tenant is in any label. */
export interface Meter extends Tally, DatabaseTally {
  request(line: Pick<RequestLine, 'target' | 'status' | 'ms'>): void;
  seller(operation: string, outcome: string): void;
  /** A call out was kept from an address that is closed to it. */
  blocked(to: Outward): void;
  metrics(): Metric[];
}

/** Why work at the database waits or begins again. */
const BUSY = ['locked', 'conflict'];
/** Credentials, and the token of the operator. */
const CREDENTIALS = ['password', 'api_key', 'token', 'credential', 'client_secret', 'operator'];
const WORKS = ['discovery', 'execute', 'creation'];
const OUTWARD: readonly Outward[] = ['seller', 'webhook', 'provider'];

/** `tools`: the names of the capabilities that are served. */
export function createMeter(tools: Iterable<string>): Meter {
  const counted = new Counted([...MCP_WORDS, ...tools]);
  const { rest, mcp } = counted;
  return {
    request: ({ target, status, ms }) => counted.requests.add(target, status, ms / 1_000),
    call: (tool, outcome, server) => (server === undefined ? rest : mcp).add(tool, outcome),
    delivery: (outcome) => counted.deliveries.add(outcome === 'delivered' ? outcome : failureReason(outcome)),
    seller: (operation, outcome) => counted.sellers.add(operation, outcome),
    transaction: (seconds) => counted.transactions.add(seconds),
    busy: (why) => counted.busy.add(why),
    limit: (name) => counted.limited.know(name),
    limited: (name) => counted.limited.add(name),
    shed: (work) => counted.shed.add(work),
    authFailed: (kind) => counted.failures.add(kind),
    blocked: (to) => counted.blocked.add(to),
    metrics: () => [...counted.requests.metrics(), ...counted.callMetrics(), ...counted.ownMetrics()],
  };
}

/** All that is counted. What can happen is told as 0 until it does: whoever looks sees the first time too. */
class Counted {
  readonly requests: RequestCounts;
  readonly rest = new Counts();
  readonly mcp = new Counts();
  readonly sellers = new Counts();
  readonly deliveries = new Singles('outcome');
  readonly transactions = new Durations();
  readonly busy = new Singles('why', BUSY);
  readonly limited = new Singles('limit');
  readonly shed = new Singles('work', WORKS);
  readonly failures = new Singles('kind', CREDENTIALS);
  readonly blocked = new Singles('to', OUTWARD);

  constructor(words: readonly string[]) {
    this.requests = new RequestCounts(words);
  }

  callMetrics(): Metric[] {
    const { rest, mcp, sellers, deliveries } = this;
    return [
      counter(
        'rialto_tool_calls_total',
        'Calls of capabilities over REST and MCP, by tool and outcome: ok, or the code of the error.',
        samplesOf(sumOf(rest, mcp), 'tool', 'outcome'),
      ),
      counter(
        'rialto_mcp_tool_calls_total',
        'Those of them that came over MCP.',
        samplesOf(mcp, 'tool', 'outcome'),
      ),
      counter(
        'rialto_webhook_deliveries_total',
        'Attempts to deliver an event, by outcome.',
        deliveries.samples(),
      ),
      counter(
        'rialto_seller_calls_total',
        'Calls of sellers, by operation and outcome: ok, or why there was no answer.',
        samplesOf(sellers, 'operation', 'outcome'),
      ),
    ];
  }

  ownMetrics(): Metric[] {
    const { transactions, busy, limited, shed, failures, blocked } = this;
    return [
      counter(
        'rialto_rate_limited_total',
        'What was refused at a limit of a time or of what stands open, by limit.',
        limited.samples(),
      ),
      counter(
        'rialto_shed_total',
        'Calls that were refused because the process was behind, by what they were to do.',
        shed.samples(),
      ),
      counter('rialto_auth_failures_total', 'Credentials that were refused, by kind.', failures.samples()),
      counter(
        'rialto_outbound_blocked_total',
        'Calls out that were kept from an address that is closed, by whom they were meant for.',
        blocked.samples(),
      ),
      {
        name: 'rialto_db_tx_seconds',
        help: 'Seconds that transactions took, with the wait for their turn.',
        type: 'histogram',
        samples: histogramOf({ buckets: transactions.cumulative(), seconds: transactions.seconds }),
      },
      counter(
        'rialto_db_busy_total',
        'Work at the database that met the lock of another process, or another transaction in its way.',
        busy.samples(),
      ),
    ];
  }
}

function sumOf(...parts: readonly Counts[]): Counts {
  const sum = new Counts();
  for (const part of parts)
    for (const [first, second, value] of part.entries()) sum.add(first, second, value);
  return sum;
}

function samplesOf(counts: Counts, first: string, second: string): Sample[] {
  return [...counts.entries()].map(([one, two, value]) => ({
    labels: { [first]: one, [second]: two },
    value,
  }));
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
