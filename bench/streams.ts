import { copyFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { callsOf } from './calls.ts';
import { cpuMsOf } from './cpu-time.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import { residentMb } from './resident.ts';
import type { Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'an event for many streams';

const STREAMS = 1_000;
const EVENTS = 20;
const LAST_PROMISED_MS = 500;
const MEMORY_PROMISED_MB = 300;

/** How long an event takes to the last of many open streams of an account, and what they take of memory. */
export async function run(seed: Seed, folder: string): Promise<void> {
  const file = join(folder, 'streams.db');
  copyFileSync(seed.file, file);
  const server = await startPinned(
    () => [...startFlags, 'dist/bundle/main.js'],
    (port) => ({
      ...seed.settings,
      DATABASE_URL: `file:${file}`,
      PORT: String(port),
      STREAMS_AT_ONCE: String(STREAMS),
      STREAMS_PER_ACCOUNT: String(STREAMS),
      SHUTDOWN_GRACE_MS: '100',
    }),
  );
  try {
    await follow(server, seed);
  } finally {
    await server.stop();
  }
}

async function follow(server: PinnedServer, seed: Seed): Promise<void> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const heard = { by: new Set<number>(), all: () => {} };
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, index) =>
      open(server, { seed, agent }, () => {
        heard.by.add(index);
        if (heard.by.size === STREAMS) heard.all();
      }),
    ),
  );
  const times: number[] = [];
  const before = cpuMsOf(server.pid);
  for (let event = 0; event < EVENTS; event += 1) {
    heard.by.clear();
    const last = new Promise<void>((resolve) => {
      heard.all = resolve;
    });
    const began = performance.now();
    await callsOf(server, seed)(`/campaigns/${seed.campaignId}`, {
      method: 'PUT',
      body: { name: `Winter campaign ${event}` },
    });
    await last;
    times.push(performance.now() - began);
  }
  const slowest = Math.max(...times);
  const spent = (cpuMsOf(server.pid) - before) / EVENTS;
  const resident = residentMb(server.pid);
  say(
    `  ${EVENTS} changes to ${STREAMS} streams, until the last has each: median ${median(times).toFixed(0)} ms, slowest ${slowest.toFixed(0)}, promised ${LAST_PROMISED_MS}: ${verdict(slowest <= LAST_PROMISED_MS)}`,
  );
  say(`  Our processor for an event to all of them: ${spent.toFixed(0)} ms`);
  say(
    `  Memory with all open: ${resident.toFixed(0)} MB, promised ${MEMORY_PROMISED_MB}: ${verdict(resident <= MEMORY_PROMISED_MB)}\n`,
  );
  for (const stream of streams) stream.destroy();
  agent.destroy();
}

interface Reader {
  readonly seed: Seed;
  readonly agent: Agent;
}

/** Opens a stream, and calls for every event that comes; resolves once the stream is open. */
function open({ url }: PinnedServer, { seed, agent }: Reader, call: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${seed.key}`, accept: 'text/event-stream' };
    const request = get(`${url}/api/v2/buyer/events`, { agent, headers }, (stream) => {
      if (stream.statusCode !== 200) return reject(new Error(`A stream was answered ${stream.statusCode}.`));
      stream.setEncoding('utf8').on('data', (text: string) => {
        if (/^id: /m.test(text)) call();
      });
      stream.on('error', () => {});
      resolve(stream);
    });
    request.on('error', reject);
  });
}
