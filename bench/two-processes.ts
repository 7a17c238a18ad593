import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { callsOf } from './calls.ts';
import { measure, type Shot } from './load.ts';
import { amongSellers } from './market.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import { makeSeed, type Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'two processes on one PostgreSQL';

const PROMISED = 1.1;
const WAKE_PROMISED_MS = 50;
const ROUNDS = 5;
const SECONDS = 3;
const WAKES = 20;
const SERVER_URL = process.env['TEST_DATABASE_URL'];

/**
 * What a request costs while another process serves from the same database, beside the same process alone, and how
 * soon a stream of one process hears of what the other was told. Needs TEST_DATABASE_URL.
 */
export async function run(_seed: Seed, folder: string): Promise<void> {
  if (SERVER_URL === undefined) return say('  not measured: TEST_DATABASE_URL names no PostgreSQL\n');
  const name = `rialto_bench_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client(SERVER_URL);
  await client.connect();
  try {
    await client.query(`create database ${name}`);
    const url = new URL(SERVER_URL);
    url.pathname = `/${name}`;
    const at = join(folder, 'two');
    mkdirSync(at, { recursive: true });
    await compare(await makeSeed(at, url.href));
    await client.query(`drop database ${name} with (force)`);
  } finally {
    await client.end();
  }
  say('');
}

function serve(seed: Seed): Promise<PinnedServer> {
  return startPinned(
    () => [...startFlags, 'dist/bundle/main.js'],
    (port) => ({ ...seed.settings, ...amongSellers, PORT: String(port), SHUTDOWN_GRACE_MS: '100' }),
  );
}

async function compare(seed: Seed): Promise<void> {
  const one = await serve(seed);
  const shot: Shot = {
    pid: one.pid,
    url: `${one.url}/api/v2/buyer/campaigns/${seed.campaignId}`,
    headers: { authorization: `Bearer ${seed.key}` },
  };
  try {
    await measure(shot, SECONDS);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await measure(shot, SECONDS);
      const other = await serve(seed);
      try {
        ratios.push((await measure(shot, SECONDS)).cpuMicros / alone.cpuMicros);
      } finally {
        await other.stop();
      }
    }
    const ratio = median(ratios);
    say(
      `  GET campaign with another process beside it: ${ratio.toFixed(2)} times the processor, promised ${PROMISED}: ${verdict(ratio <= PROMISED)}`,
    );
    await wake(one, seed);
  } finally {
    await one.stop();
  }
}

async function wake(one: PinnedServer, seed: Seed): Promise<void> {
  const other = await serve(seed);
  const heard = { of: () => {} };
  const stream = await fetch(`${other.url}/api/v2/buyer/events`, {
    headers: { authorization: `Bearer ${seed.key}` },
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    const listen = async () => {
      for (;;) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return;
        if (value !== undefined && /^id: /m.test(value)) heard.of();
      }
    };
    void listen().catch(() => {});
    const times: number[] = [];
    for (let event = 0; event < WAKES; event += 1) {
      const came = new Promise<void>((resolve) => {
        heard.of = resolve;
      });
      await callsOf(one, seed)(`/campaigns/${seed.campaignId}`, {
        method: 'PUT',
        body: { name: `Winter ${event}` },
      });
      const answered = performance.now();
      await came;
      times.push(performance.now() - answered);
    }
    const slowest = Math.max(...times);
    say(
      `  what one was told, the stream of the other hears after ${median(times).toFixed(0)} ms, ${slowest.toFixed(0)} at most, promised ${WAKE_PROMISED_MS}: ${verdict(slowest <= WAKE_PROMISED_MS)}`,
    );
  } finally {
    await reader?.cancel();
    await other.stop();
  }
}
