import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, setUp } from './cases.ts';
import * as crowd from './crowd.ts';
import * as delays from './delays.ts';
import * as discovery from './discovery.ts';
import { type Measured, measure, type Shot } from './load.ts';
import * as manyCampaigns from './many-campaigns.ts';
import { canPin, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import { residentMb } from './resident.ts';
import { makeSeed, type Seed } from './seed.ts';
import * as signInPages from './sign-in-pages.ts';
import { startFlags } from './start-flags.ts';
import * as streams from './streams.ts';
import * as twoProcesses from './two-processes.ts';
import * as webhooksTls from './webhooks-tls.ts';

const ROUNDS = 5;
const SECONDS = 3;
/**
 * What a server spends until its compiler has settled, which takes our own code longer than a few lines of a
 * peer: after 5 s a GET still cost a sixth more than after 15, from where on nothing changed. In time of the
 * processor: on a busy machine the clock runs on while the server waits.
 */
const WARM_UP_CPU_MS = 15_000;
const WARM_UP_BURSTS = 8;
const IDLE_AFTER_MS = 5_000;
const READY_PROMISED_MS = 800;
const IDLE_PROMISED_MB = 120;

/** Words of the titles to measure: `npm run bench -- POST`. Without any, everything is. */
const wanted = process.argv.slice(2).join(' ');

/** What is measured by itself instead of beside a peer. */
const ALONE = [crowd, delays, signInPages, discovery, streams, webhooksTls, manyCampaigns, twoProcesses];
const alone = ALONE.filter(({ title }) => title.includes(wanted));

const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
try {
  say(canPin ? 'Server on one core, load on another.' : 'One core for all: expect lower ratios.');
  say(`Figures and ratios, each the median of ${ROUNDS} rounds of ${SECONDS} s.\n`);
  const seed = await makeSeed(join(folder, 'seed'));
  if (wanted === '') await measureStart(seed);
  if (wanted === '' || alone.length === 0) await measureField(seed);
  for (const { title, run } of alone) {
    say(`${title[0]?.toUpperCase()}${title.slice(1)}`);
    await run(seed, folder);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureField(seed: Seed): Promise<void> {
  const field = await setUp(seed, folder);
  try {
    const cases = field.cases.filter(({ title }) => title.includes(wanted));
    if (cases.length === 0) nothingCalledSo(field.cases);
    await measureCases(cases);
  } finally {
    await field.stop();
  }
}

function nothingCalledSo(cases: readonly Case[]): void {
  const titles = new Set([...cases, ...ALONE].map(({ title }) => title));
  say(`Nothing that is measured has "${wanted}" in its title. There are: ${[...titles].join('; ')}.`);
  process.exitCode = 1;
}

/**
 * Ours and the peer in turn, round by round, and the median of the ratios: whatever else the machine does in
 * a round meets both. A promise is judged by the time of the processor, which neighbours disturb less than
 * the clock.
 */
async function measureCases(cases: readonly Case[]): Promise<void> {
  for (const one of cases) {
    await warmUp(one.ours);
    await warmUp(one.theirs);
    if (one.floor !== undefined) await warmUp(one.floor);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ours = await measure(one.ours, SECONDS);
      const theirs = await measure(one.theirs, SECONDS);
      const floor = one.floor === undefined ? undefined : await measure(one.floor, SECONDS);
      rounds.push({ ours, theirs, floor });
    }
    report(one, rounds);
  }
}

async function warmUp(shot: Shot): Promise<void> {
  let spent = 0;
  for (let burst = 0; burst < WARM_UP_BURSTS && spent < WARM_UP_CPU_MS; burst += 1) {
    spent += (await measure(shot, SECONDS)).cpuMs;
  }
}

interface Round {
  readonly ours: Measured;
  readonly theirs: Measured;
  readonly floor: Measured | undefined;
}

function report({ title, peer, promised }: Case, rounds: readonly Round[]): void {
  const ratio = median(rounds.map(({ ours, theirs }) => theirs.cpuMicros / ours.cpuMicros));
  const byRate = median(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
  say(`${title}: ${figures(rounds.map(({ ours }) => ours))}`);
  say(`  ${peer}: ${figures(rounds.map(({ theirs }) => theirs))}`);
  say(
    `  ${ratio.toFixed(2)} times in time of the processor, promised ${promised}: ${verdict(ratio >= promised)}`,
  );
  say(`  ${byRate.toFixed(2)} times in requests a second`);
  sayFloor(rounds);
  say('');
}

/** Node alone is the least that a request can cost: what it leaves of a promise is what all of ours may take. */
function sayFloor(rounds: readonly Round[]): void {
  const measured = rounds.flatMap(({ theirs, floor }) => (floor === undefined ? [] : [{ theirs, floor }]));
  if (measured.length === 0) return;
  const ratio = median(measured.map(({ theirs, floor }) => theirs.cpuMicros / floor.cpuMicros));
  say(`  Node alone, same SELECTs: ${figures(measured.map(({ floor }) => floor))}`);
  say(`  ${ratio.toFixed(2)} times in time of the processor is what it would come to without any of ours`);
}

function figures(measured: readonly Measured[]): string {
  const perSecond = Math.round(median(measured.map((one) => one.perSecond)));
  const micros = median(measured.map((one) => one.cpuMicros));
  return `${perSecond} a second, ${micros.toFixed(micros < 100 ? 1 : 0)} µs of the processor each`;
}

/** A second start of the installed service: the time to its first answer, and what it holds when idle. */
async function measureStart(seed: Seed): Promise<void> {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startPinned(
      () => [...startFlags, 'adapters/cli/start.mjs'],
      (port) => ({ ...seed.settings, PORT: String(port) }),
    );
    times.push(server.readyMs);
    await new Promise((resolve) => setTimeout(resolve, IDLE_AFTER_MS));
    sizes.push(residentMb(server.pid));
    await server.stop();
  }
  const ready = Math.round(median(times));
  const idle = Math.round(median(sizes));
  say(`Start to ready: ${ready} ms, promised ${READY_PROMISED_MS}: ${verdict(ready <= READY_PROMISED_MS)}`);
  say(`Idle: ${idle} MB, promised ${IDLE_PROMISED_MB}: ${verdict(idle <= IDLE_PROMISED_MB)}\n`);
}
