import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.ts';
import { addCampaigns, addProducts } from './copies.ts';
import { type Answer, type Ask, CAMPAIGNS, type Input, inputsFor, OWN_PRODUCTS } from './delay-inputs.ts';
import { ofPackages } from './delay-packages.ts';
import { payFor } from './executing.ts';
import { amongSellers, openMarket } from './market.ts';
import { type PinnedServer, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import type { Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'delay of the event loop';

const PROMISED_MS = 50;
/** How often each input is sent before it counts: the compiler, the pages of the file, connections, threads. */
const WARM_UPS = 3;
const ROUNDS = 3;
const RUNS = 3;
/** Until the monitor has seen the delay that has just ended. */
const SETTLE_MS = 30;

/** A server that says how long its event loop was held up. */
interface Watched extends PinnedServer {
  /** The longest delay since the last time, in milliseconds. */
  longest(): Promise<number>;
}

/**
 * The longest delay of the event loop under the worst inputs we know, beside a twin on the other core that has
 * nothing to do: what disturbs the machine disturbs both. Of the runs of a round the median counts, so that no
 * single disturbance decides, and of the rounds the worst, so that no lucky one does.
 */
export async function run(seed: Seed, folder: string): Promise<void> {
  say(
    `  Each sent ${WARM_UPS} times before, then the worst of ${ROUNDS} rounds, each the median of ${RUNS} runs.`,
  );
  const sellers = await startChild(['--import', 'tsx', 'bench/bad-sellers.ts']);
  try {
    const urls = JSON.parse(sellers.said) as Record<'empty' | 'wide' | 'long', string>;
    const file = join(folder, 'delays.db');
    const [empty = '', wide = '', long = '', many = '', own = ''] = await openMarket(seed, file, [
      { name: 'Empty', urls: [urls.empty] },
      { name: 'Wide', urls: Array.from({ length: 5 }, () => urls.wide) },
      { name: 'Long', urls: [urls.long] },
      { name: 'Many', urls: Array.from({ length: 20 }, () => urls.long) },
      { name: 'Own', urls: [] },
    ]);
    addCampaigns(file, seed.campaignId, CAMPAIGNS);
    addProducts(file, OWN_PRODUCTS);
    await payFor(file);
    const ours = await watch(seed, file, 'server');
    const twin = await watch(seed, seed.file, 'load');
    try {
      const inputs = inputsFor({ seed, file, stalls: { empty, wide, long, many, own } });
      const bought = await ofPackages(ours, seed, own);
      for (const input of [...inputs, ...bought]) await measureOne(input, { ours, twin, seed });
    } finally {
      await ours.stop();
      await twin.stop();
    }
  } finally {
    await sellers.stop();
  }
}

async function watch(seed: Seed, file: string, core: 'server' | 'load'): Promise<Watched> {
  const DELAY_FILE = `${file}.delay`;
  const server = await startPinned(
    () => [...startFlags, '--import', './bench/delay-monitor.mjs', 'dist/bundle/main.js'],
    (port) => ({
      ...seed.settings,
      ...amongSellers,
      DELAY_FILE,
      DATABASE_URL: `file:${file}`,
      PORT: String(port),
    }),
    core,
  );
  const longest = async () => {
    rmSync(DELAY_FILE, { force: true });
    process.kill(server.pid, 'SIGUSR2');
    for (;;) {
      await pause(10);
      const text = read(DELAY_FILE);
      if (text !== '') return Number(text);
    }
  };
  return { ...server, longest };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

interface Field {
  readonly ours: Watched;
  readonly twin: Watched;
  readonly seed: Seed;
}

interface Delays {
  readonly busy: number;
  readonly idle: number;
}

async function measureOne(input: Input, field: Field): Promise<void> {
  for (let time = 0; time < WARM_UPS; time += 1) await sendChecked(input, field);
  const rounds: Delays[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureRound(input, field));
  const [worst] = rounds.toSorted((one, other) => more(other) - more(one));
  if (worst === undefined) return;
  const figures = `${worst.busy.toFixed(0)} ms, idle twin ${worst.idle.toFixed(0)}`;
  say(`  ${input.name}: ${figures}, promised ${PROMISED_MS} more: ${verdict(more(worst) < PROMISED_MS)}`);
}

function more({ busy, idle }: Delays): number {
  return busy - idle;
}

async function measureRound(input: Input, field: Field): Promise<Delays> {
  const runs: Delays[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await bothOf(field);
    await sendChecked(input, field);
    await pause(SETTLE_MS);
    runs.push(await bothOf(field));
  }
  return { busy: median(runs.map(({ busy }) => busy)), idle: median(runs.map(({ idle }) => idle)) };
}

async function bothOf({ ours, twin }: Field): Promise<Delays> {
  const [busy, idle] = await Promise.all([ours.longest(), twin.longest()]);
  return { busy, idle };
}

/** An answer that is not the expected one would be the measure of something else. */
async function sendChecked({ name, send, status, holds }: Input, { ours, seed }: Field): Promise<void> {
  const ask: Ask = async ({ method, path, body, headers }): Promise<Answer> => {
    const response = await fetch(`${ours.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${seed.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  const answer = await send(ask);
  if (answer.status === status && holds.test(answer.text)) return;
  throw new Error(`${name} was answered ${answer.status}: ${answer.text.slice(0, 2_000)}`);
}
