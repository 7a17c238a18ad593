import { describe, expect, test } from 'vitest';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** What tells how long something took, on the wall or of the processor. */
const STOPWATCH =
  /\bperformance\s*(?:\.\s*(?:now|mark|measure|timeOrigin|eventLoopUtilization|timerify)\b|\[)|perf_hooks|\bhrtime\b|\b(?:cpuUsage|resourceUsage|threadCpuUsage|uptime)\b|\bmonitorEventLoopDelay\b|\bconsole\s*\.\s*time/;
/** What tells the moment of the machine. */
const MOMENT = /\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|(?<!new\s)\bDate\(\)/;

/** Files with a stopwatch, and what it is for: in a long run alone it judges, what was promised as a time. */
const STOPWATCHES: Readonly<Record<string, string>> = {
  'test/faults/database-outages.test.ts': 'In a long run: a call to a silent database ends in time.',
  'test/faults/overload.test.ts': 'In a long run: what is served in an overload, as a part of the best.',
  'test/soak/soak.test.ts': 'It says how long the soak goes on, and judges nothing.',
  'test/support/run/clock.ts': 'The clock that tests give to the service.',
};
/** Files that ask which moment it is; none of them takes one from another. */
const MOMENTS: Readonly<Record<string, string>> = {
  'test/credential-lives/operator.test.ts': 'Its commands run by the clock of the machine.',
  'test/oauth/official-clients.test.ts': 'Clients check tokens by the clock of the machine.',
  'test/oauth/two-secrets-keys.test.ts': 'A clock that stands still begins there.',
  'test/oauth/unknown-keys.test.ts': 'As above.',
  'test/outbound/two-secrets-keys.test.ts': 'As above.',
  'test/process/installation.test.ts': 'A process that beats in an hour.',
  'test/process/move.test.ts': 'A command is told when it runs.',
  'test/store/rotation-meanwhile.test.ts': 'A process that beats now.',
  'test/support/callers/identity-provider.ts': 'A process of its own, which signs tokens of now.',
  'test/support/callers/key-keeper.mjs': 'A process of its own, which dates what it keeps.',
  'test/support/sellers/market.ts': 'A flight that is ahead of a service that runs by the machine.',
  'test/trials/jobs.ts': 'As above.',
};

/** They name clocks in texts. */
const OWN = ['test/rules/clocks-in-tests.test.ts', 'test/rules/time-and-ids.test.ts'];
const readers = (clock: RegExp) =>
  sourceFiles('test').filter((path) => !OWN.includes(path) && clock.test(codeOf(path)));

describe('tests', () => {
  test('ask how long something took nowhere but in the long runs that promise a time', () => {
    expect(readers(STOPWATCH)).toEqual(Object.keys(STOPWATCHES).sort());
  });

  test('that judge by a stopwatch do so in a long run', () => {
    const judged = readers(STOPWATCH).flatMap((path) =>
      codeOf(path)
        .split('\n')
        .filter((line) => /\bexpect\(.*(?:\bperformance\s*\.|goodput)/.test(line))
        .map((line) => ({ path, isInLongRun: line.includes('if (isLong)') })),
    );

    expect(judged.map(({ path }) => path)).toEqual([
      'test/faults/database-outages.test.ts',
      'test/faults/overload.test.ts',
    ]);
    expect(judged.filter(({ isInLongRun }) => !isInLongRun)).toEqual([]);
  });

  test('take the moment of the machine where something outside goes by it, and never one from another', () => {
    const asking = readers(MOMENT);

    expect(asking).toEqual(Object.keys(MOMENTS).sort());
    expect(asking.filter((path) => /(?:Date\.now\(\)|new Date\(\))\s*-/.test(codeOf(path)))).toEqual([]);
  });

  test.each([
    ['performance.now()', STOPWATCH],
    ['performance.mark("a")', STOPWATCH],
    ["import { performance } from 'node:perf_hooks'", STOPWATCH],
    ['process.hrtime.bigint()', STOPWATCH],
    ['process.cpuUsage(before)', STOPWATCH],
    ['process.resourceUsage().userCPUTime', STOPWATCH],
    ['console.timeEnd("a")', STOPWATCH],
    ['Date.now()', MOMENT],
    ['new Date().getTime()', MOMENT],
  ])('that read a clock are found: %s', (code, clock) => {
    expect(clock.test(code)).toBe(true);
  });

  test.each(['buy.performance.spend', "mode: 'performance'", 'new Date(at)', 'clock.now()'])(
    'that speak of something else are not: %s',
    (code) => {
      expect(STOPWATCH.test(code) || MOMENT.test(code)).toBe(false);
    },
  );
});
