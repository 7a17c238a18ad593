import type { Services } from './context.ts';
import { ofProcess } from './of-process.ts';

/** The rows that a process is at work on at this moment. */
const rowsOf = ofProcess(() => new Set<string>());

/**
 * Work on a row that only the process that does it may end. While it goes on nobody here takes it for forgotten:
 * a clock that is put forward makes everything look overdue.
 */
export async function underWay<T>(
  services: Services,
  row: string | number,
  work: () => Promise<T>,
): Promise<T> {
  const own = rowsOf(services);
  own.add(String(row));
  try {
    return await work();
  } finally {
    own.delete(String(row));
  }
}

/** The rows that nobody of this process is at work on. */
export function forgotten<R extends { readonly id: string | number }>(
  services: Services,
  found: readonly R[],
): R[] {
  const own = rowsOf(services);
  return found.filter(({ id }) => !own.has(String(id)));
}
