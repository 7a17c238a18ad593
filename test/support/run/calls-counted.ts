import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../../adapters/settings/package-root.ts';

/** How often each part of our own code ran, by its file, its function and its place. */
export type Counted = ReadonlyMap<string, number>;

/**
 * Counts while something is done: the same work gives the same counts, however busy the machine is. What is compiled
 * anew meanwhile may be counted less often than it ran, and never more.
 */
export async function countingCalls(work: (counted: () => Promise<Counted>) => Promise<void>): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    await work(async () => {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return new Map(result.filter(({ url }) => isOurs(url)).flatMap(countsOf));
    });
    await session.post('Profiler.stopPreciseCoverage');
  } finally {
    session.disconnect();
  }
}

function isOurs(url: string): boolean {
  return /\/dist\/(?:adapters|store|tools)\//.test(url);
}

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

function countsOf({ url, functions }: Script): [string, number][] {
  const file = relative(packageRoot, fileURLToPath(url));
  return functions.flatMap(({ functionName, ranges }) =>
    ranges.map(({ startOffset, count }): [string, number] => [
      `${file} ${functionName} at ${startOffset}`,
      count,
    ]),
  );
}

/** What ran more often than that, most often first. */
export function beyond(counted: Counted, most: number): string[] {
  return [...counted]
    .filter(([, count]) => count > most)
    .sort(([, one], [, other]) => other - one)
    .map(([place, count]) => `${place}: ${count}`);
}
