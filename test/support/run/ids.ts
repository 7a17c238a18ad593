import type { Ids } from '../../../tools/core/ports.ts';

/** Ids that count up, each prefix for itself: `cmp_00000000000000000001`. */
export function countingIds(): Ids {
  const counts = new Map<string, number>();
  return {
    make: (prefix) => {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}_${String(count).padStart(20, '0')}`;
    },
  };
}
