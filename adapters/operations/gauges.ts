import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { filePath } from '../../store/engine/dialect.ts';
import { countSubscriptions, measureQueues } from '../../store/unscoped/queues.ts';
import { latenessOf } from '../ports/lateness.ts';
import type { Metric, Sample } from './exposition.ts';
import { inTime, NO_ANSWER, unreadiness, type Watched } from './readiness.ts';

const MS_A_SECOND = 1_000;
const MICROSECONDS = 1e6;
const DELAY_RESOLUTION_MS = 20;
const DELAY_PERCENTILES = [50, 99, 100] as const;

/** What a service has besides, for its gauges. */
export interface Measured extends Watched {
  readonly version: string;
  readonly databaseUrl: string;
  readonly engine: string;
  openStreams(): number;
}

/** Reads what is so at this moment. What could not be asked is left out. */
export type Gauges = (measured: Measured | undefined) => Promise<Metric[]>;

export function createGauges(): Gauges {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  let used = performance.eventLoopUtilization();
  return async (measured) => {
    const since = performance.eventLoopUtilization();
    const metrics = [
      ...processMetrics(),
      ...loopMetrics(delay, performance.eventLoopUtilization(since, used)),
    ];
    used = since;
    delay.reset();
    return [...metrics, ...(await serviceMetrics(measured))];
  };
}

function gauge(name: string, help: string, ...samples: readonly (Sample | number)[]): Metric {
  const list = samples.map((sample) => (typeof sample === 'number' ? { value: sample } : sample));
  return { name, help, type: 'gauge', samples: list };
}

function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU seconds of the process.',
      type: 'counter',
      samples: [{ value: (user + system) / MICROSECONDS }],
    },
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('process_start_time_seconds', 'When the process started.', performance.timeOrigin / 1_000),
  ];
}

function loopMetrics(delay: ReturnType<typeof monitorEventLoopDelay>, used: EventLoopUtilization): Metric[] {
  return [
    gauge(
      'rialto_event_loop_delay_seconds',
      'How late timers of the event loop were since the last look, by quantile.',
      ...DELAY_PERCENTILES.map((percentile) => ({
        labels: { quantile: String(percentile / 100) },
        value: latenessOf(delay.percentile(percentile), DELAY_RESOLUTION_MS) / MS_A_SECOND,
      })),
    ),
    gauge(
      'rialto_event_loop_utilization',
      'Share of the time since the last look that was work.',
      used.utilization,
    ),
  ];
}

async function serviceMetrics(measured: Measured | undefined): Promise<Metric[]> {
  const reason = await unreadiness(measured);
  const ready = gauge('rialto_ready', 'Whether the service wants requests.', reason === undefined ? 1 : 0);
  if (measured === undefined) return [ready];
  const { version, engine } = measured;
  return [
    ready,
    gauge('rialto_build_info', 'Which version runs, on which database.', {
      labels: { version, database: engine },
      value: 1,
    }),
    gauge('rialto_streams_open', 'Event streams that are open.', measured.openStreams()),
    ...fileMetrics(measured),
    ...(await diskMetrics(measured)),
    ...(await queueMetrics(measured)),
  ];
}

/** Of a database that is a file: how large it is, and its log, which shrinks when nobody reads an old state. */
function fileMetrics({ databaseUrl }: Measured): Metric[] {
  const path = fileOf(databaseUrl);
  if (path === undefined) return [];
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return [
    gauge('rialto_database_bytes', 'Size of the database file.', sizeOf(path)),
    gauge('rialto_wal_bytes', 'Size of its write-ahead log.', sizeOf(`${path}-wal`)),
  ];
}

/** Of the disk that it stands on, what this user may take. */
async function diskMetrics({ databaseUrl }: Measured): Promise<Metric[]> {
  const path = fileOf(databaseUrl);
  const disk = path === undefined ? undefined : await statfs(dirname(path)).catch(() => undefined);
  if (disk === undefined) return [];
  return [
    gauge('rialto_disk_bytes', 'Size of the disk of the database file.', disk.blocks * disk.bsize),
    gauge('rialto_disk_free_bytes', 'What is free of it for this user.', disk.bavail * disk.bsize),
  ];
}

function fileOf(databaseUrl: string): string | undefined {
  const isFile = databaseUrl.startsWith('file:') && databaseUrl !== 'file::memory:';
  return isFile ? filePath(databaseUrl) : undefined;
}

async function queueMetrics(measured: Measured): Promise<Metric[]> {
  const { store, clock } = measured;
  const asked = await inTime(measured, Promise.all([measureQueues(store.db), countSubscriptions(store.db)]));
  if (asked === NO_ANSWER) return [gauge('rialto_database_up', 'Whether the database answers.', 0)];
  const [{ webhooks, oldestWebhook, sessions, orders }, subscriptions] = asked;
  const waited = oldestWebhook === null ? 0 : Math.max(0, clock.now() - Date.parse(oldestWebhook)) / 1_000;
  return [
    gauge('rialto_database_up', 'Whether the database answers.', 1),
    gauge('rialto_webhook_backlog', 'Events that wait for their attempt; 10000 may be more.', webhooks),
    gauge('rialto_webhook_oldest_pending_seconds', 'How long the oldest of them waits.', waited),
    gauge(
      'rialto_webhook_subscriptions',
      'Webhook subscriptions, by status.',
      ...subscriptions.map(({ status, count }) => ({ labels: { status }, value: count })),
    ),
    gauge(
      'rialto_discovery_sessions_collecting',
      'Discovery sessions that still ask; 10000 may be more.',
      sessions,
    ),
    gauge('rialto_orders_sending', 'Orders on their way to a seller; 10000 may be more.', orders),
  ];
}
