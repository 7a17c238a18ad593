import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, callsOf } from './calls.ts';
import { startChild } from './child.ts';
import { cpuMsOf } from './cpu-time.ts';
import { onCore, type PinnedServer, startPinned } from './pinned.ts';
import { say, verdict } from './report.ts';
import type { Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'webhooks over TLS, a fifth of the receivers dead';

const RECEIVERS = 50;
const DEAD = RECEIVERS / 5;
const PER_SECOND = 300;
/** Who is sent no more than is promised shows less of it: the last one takes its time beyond the end. */
const OFFERED_PER_SECOND = 330;
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
/** Beyond this nothing more is waited for. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 50;
const CPU_PROMISED = 1.5;
const P95_PROMISED_MS = 1_000;
const PEER_SENDS = 2_000;
const PEER_AT_ONCE = 40;

interface Receivers {
  readonly live: string;
  readonly dead: string;
  readonly counts: string;
  readonly ca: string;
}

/** What webhooks cost beside bare requests, and how long healthy receivers wait while others are dead. */
export async function run(seed: Seed, folder: string): Promise<void> {
  const child = await startChild(['--import', 'tsx', 'bench/tls-receivers.ts']);
  const receivers = JSON.parse(child.said) as Receivers;
  const file = join(folder, 'webhooks.db');
  copyFileSync(seed.file, file);
  const server = await startPinned(
    () => [...startFlags, 'dist/bundle/main.js'],
    (port) => ({
      ...seed.settings,
      DATABASE_URL: `file:${file}`,
      PORT: String(port),
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      OUTBOUND_CA_FILE: receivers.ca,
      // All are of one account here: with the ten places it has otherwise, the dead would take them all at first.
      WEBHOOKS_PER_ACCOUNT: String(2 * RECEIVERS),
      SHUTDOWN_GRACE_MS: '100',
    }),
  );
  try {
    await measureWebhooks(server, seed, receivers);
  } finally {
    await server.stop();
    await child.stop();
  }
}

async function measureWebhooks(server: PinnedServer, seed: Seed, receivers: Receivers): Promise<void> {
  const ask = callsOf(server, seed);
  await subscribeAll(ask, receivers);
  await sendFor(ask, { seed, seconds: WARM_UP_SECONDS, receivers });
  const before = cpuMsOf(server.pid);
  const { waited, seconds } = await sendFor(ask, { seed, seconds: SECONDS, receivers });
  const ours = ((cpuMsOf(server.pid) - before) / waited.length) * 1_000;
  const theirs = peerMicros(receivers);
  const [rate, ratio] = [waited.length / seconds, ours / theirs];
  const p95 = waited.sort((one, other) => one - other)[Math.floor(waited.length * 0.95)] ?? 0;
  say(
    `  ${rate.toFixed(0)} a second to ${RECEIVERS - DEAD} live receivers beside ${DEAD} dead ones, promised ${PER_SECOND}: ${verdict(rate >= PER_SECOND)}`,
  );
  say(
    `  ${ours.toFixed(0)} µs of the processor each, ${ratio.toFixed(2)} times bare https.request (${theirs.toFixed(0)} µs), promised ${CPU_PROMISED}: ${verdict(ratio <= CPU_PROMISED)}`,
  );
  say(`  95 of 100 within ${p95} ms, promised ${P95_PROMISED_MS}: ${verdict(p95 <= P95_PROMISED_MS)}\n`);
}

async function subscribeAll(ask: Ask, { live, dead }: Receivers): Promise<void> {
  for (let index = 0; index < RECEIVERS; index += 1) {
    await ask('/webhook-subscriptions', {
      method: 'POST',
      body: {
        url: `${index < DEAD ? dead : live}/${index}`,
        secret: 'a secret that nobody guesses',
        eventTypes: ['campaign.updated'],
      },
    });
  }
}

interface Sending {
  readonly seed: Seed;
  readonly seconds: number;
  readonly receivers: Receivers;
}

/** Changes a campaign so often that live receivers are due somewhat more than is promised; until all have come. */
async function sendFor(ask: Ask, { seed, seconds, receivers }: Sending) {
  const changes = Math.ceil((OFFERED_PER_SECOND * seconds) / (RECEIVERS - DEAD));
  const due = changes * (RECEIVERS - DEAD);
  const waited: number[] = [];
  const began = performance.now();
  for (let change = 0; change < changes; change += 1) {
    const ahead = began + (change * seconds * 1_000) / changes - performance.now();
    if (ahead > 0) await pause(ahead);
    await ask(`/campaigns/${seed.campaignId}`, {
      method: 'PUT',
      body: { name: `Change ${began} ${change}` },
    });
  }
  while (waited.length < due && performance.now() - began < seconds * 1_000 + PATIENCE_MS) {
    const arrived = await fetch(receivers.counts);
    waited.push(...((await arrived.json()) as number[]));
    await pause(LOOK_EVERY_MS);
  }
  return { waited, seconds: Math.max(seconds, (performance.now() - began) / 1_000 - LOOK_EVERY_MS / 1_000) };
}

/** Bare requests with as many bytes, on the same core, to the same receivers. */
function peerMicros({ live, ca }: Receivers): number {
  const body = JSON.stringify({ timestamp: new Date().toISOString(), padding: 'x'.repeat(400) });
  const args = ['--import', 'tsx', 'bench/peers/https-sender.ts', `${live}/peer`, ca];
  const [command, rest] = onCore('server', [...args, `${PEER_SENDS}`, `${PEER_AT_ONCE}`, body]);
  return Number(execFileSync(command, rest, { encoding: 'utf8' }));
}
