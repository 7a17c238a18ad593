/** How hard a run of the tests tries: the usual one by a budget, the long one so many cases a tool. */

const USUAL_SEED = 20_261_201;
/** The cases of all generated requests together, however many tools there are. */
const USUAL_BUDGET = 3_000;
const LONG_CASES_A_TOOL = 10_000;

/** Told to the workers by vitest.config.ts: `npm run test:long` sets it. */
export const isLong = process.env['TEST_LONG'] === 'yes';

/** What the generated cases grow from. TEST_SEED gives another one, or that of a long run once more. */
export const seed = Number(process.env['TEST_SEED'] ?? USUAL_SEED);

/**
 * How many cases a property tries: its share of the budget, or in a long run so many a tool it is about.
 * FUZZ_CASES sets the number a tool for either.
 */
export function casesOf({ share, tools }: { share: number; tools: number }): number {
  const aTool = process.env['FUZZ_CASES'] ?? (isLong ? LONG_CASES_A_TOOL : undefined);
  return Math.ceil(aTool === undefined ? USUAL_BUDGET * share : Number(aTool) * tools);
}

/** Rounds of something that each run does a few times, and a long one many times. */
export function roundsOf(usual: number, long: number): number {
  return isLong ? long : usual;
}

/** Cases of which a usual run meets those that are meant, as one of each pair of ways, and a long one all. */
export function casesAmong<T>(all: readonly T[], isUsual: (one: T) => boolean): readonly T[] {
  return isLong ? all : all.filter(isUsual);
}

/** Rounds of kills, stops and outages, likewise; FAULT_ROUNDS sets the number for each of them. */
export function faultRoundsOf(usual: number, long: number): number {
  return Number(process.env['FAULT_ROUNDS'] ?? roundsOf(usual, long));
}

const [PHONE, DESKTOP] = [360, 1280];

/**
 * How wide the pages of a colour scheme are looked at. Colours and widths break different things, so a usual run
 * meets each of them once, and a long one every pair.
 */
export function widthsFor(colorScheme: 'light' | 'dark'): readonly number[] {
  if (isLong) return [PHONE, DESKTOP];
  return colorScheme === 'light' ? [DESKTOP] : [PHONE];
}

/** No limit where the cases are many: how long they take depends on the machine alone. */
export function timeoutOf(usualMs: number): number {
  const { FUZZ_CASES, FAULT_ROUNDS } = process.env;
  return isLong || (FUZZ_CASES ?? FAULT_ROUNDS) !== undefined ? 0 : usualMs;
}

/** What a run is told at its start, so that it can be had again. */
export function beginLongRun(): void {
  process.env['TEST_LONG'] = 'yes';
  process.env['TEST_SEED'] ??= String(Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`A long run. TEST_SEED=${process.env['TEST_SEED']} gives the same cases again.\n`);
}
