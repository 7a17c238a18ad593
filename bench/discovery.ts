import { join } from 'node:path';
import { callsOf } from './calls.ts';
import { startChild } from './child.ts';
import { cpuMsOf } from './cpu-time.ts';
import { amongSellers, openMarket } from './market.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import type { Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'discovery over many sellers';

const FEW = 20;
const COUNTS = [FEW, 200];
/** What each seller takes to answer. */
const SELLER_MS = 50;
/** Promised for the fewer sellers: what many cost us alone takes longer. */
const MORE_PROMISED_MS = 60;
const CPU_PROMISED_MS = 4;
const FIRST_PROMISED_MS = 50;
/** Sellers asked before anything is measured, few or many a session: the compiler has settled by then. */
const WARM_UP_SELLERS = 600;
const ROUNDS = 10;
const WAIT_SECONDS = 25;

interface Asked {
  /** Milliseconds until every seller was heard. */
  readonly all: number;
  /** Milliseconds until the first revision with products. */
  readonly first: number;
  /** Milliseconds of our processor. */
  readonly cpu: number;
}

/** How long a discovery takes beside the slowest of its sellers, and what it costs us. */
export async function run(seed: Seed, folder: string): Promise<void> {
  for (const count of COUNTS) {
    const sellers = await startChild([
      '--import',
      'tsx',
      'bench/slow-sellers.ts',
      `${count}`,
      `${SELLER_MS}`,
    ]);
    try {
      const file = join(folder, `discovery-${count}.db`);
      await openMarket(seed, file, stallsOf(JSON.parse(sellers.said) as string[]));
      await measureAmong(seed, file, count);
    } finally {
      await sellers.stop();
    }
  }
  say('');
}

/** Ten storefronts at the most, each with its share of the sellers. */
function stallsOf(urls: readonly string[]) {
  const stalls = Math.min(10, urls.length);
  return Array.from({ length: stalls }, (_, stall) => ({
    name: `Slow ${stall}`,
    urls: urls.filter((_url, index) => index % stalls === stall),
  }));
}

async function measureAmong(seed: Seed, file: string, count: number): Promise<void> {
  const server = await startPinned(
    () => [...startFlags, 'dist/bundle/main.js'],
    (port) => ({
      ...seed.settings,
      ...amongSellers,
      DATABASE_URL: `file:${file}`,
      PORT: String(port),
      DISCOVERY_SESSIONS_OPEN: '1000',
      DISCOVERY_BYTES_PER_ACCOUNT: '68719476736',
      SHUTDOWN_GRACE_MS: '100',
    }),
  );
  try {
    for (let asked = 0; asked < WARM_UP_SELLERS; asked += count) await discover(server, seed, count);
    const asked: Asked[] = [];
    for (let round = 0; round < ROUNDS; round += 1) asked.push(await discover(server, seed, count));
    report(count, asked);
  } finally {
    await server.stop();
  }
}

async function discover(server: PinnedServer, seed: Seed, count: number): Promise<Asked> {
  const before = cpuMsOf(server.pid);
  const began = performance.now();
  const { discoveryId } = await callsOf(server, seed)('/discovery/discover-products', {
    method: 'POST',
    body: { advertiserId: seed.advertiserId, waitSeconds: 0 },
  });
  const stream = await fetch(`${server.url}/api/v2/buyer/discovery/${String(discoveryId)}/events`, {
    headers: { authorization: `Bearer ${seed.key}` },
    signal: AbortSignal.timeout(WAIT_SECONDS * 1_000),
  });
  let first: number | undefined;
  let text = '';
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes('"productId"')) first ??= performance.now() - began;
    if (productsIn(text) >= count) break;
  }
  if (first === undefined) throw new Error('No product landed.');
  return { first, all: performance.now() - began, cpu: cpuMsOf(server.pid) - before };
}

/** How many sellers' products a stream has shown: each has one, and no revision shows one twice. */
function productsIn(text: string): number {
  return new Set(text.match(/slow-\d+/g)).size;
}

function report(count: number, asked: readonly Asked[]): void {
  const all = median(asked.map((one) => one.all));
  const after = median(asked.map((one) => one.first)) - SELLER_MS;
  const cpu = asked.reduce((sum, one) => sum + one.cpu, 0) / asked.length / count;
  const most = SELLER_MS + MORE_PROMISED_MS;
  const judged = count === FEW ? `, promised ${most}: ${verdict(all <= most)}` : '';
  say(`  ${count} sellers of ${SELLER_MS} ms, all heard: ${all.toFixed(0)} ms${judged}`);
  say(
    `  first revision ${after.toFixed(0)} ms after the first answer, promised ${FIRST_PROMISED_MS}: ${verdict(after <= FIRST_PROMISED_MS)}`,
  );
  say(
    `  our processor for a seller: ${cpu.toFixed(1)} ms, promised ${CPU_PROMISED_MS}: ${verdict(cpu <= CPU_PROMISED_MS)}`,
  );
}
