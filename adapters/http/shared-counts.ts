import type { Clock } from '../../tools/core/ports.ts';
import type { Link } from '../ports/link.ts';
import type { FixedWindows, Untold } from './fixed-windows.ts';

/** How long a count stays with the process that made it. */
const TELL_EVERY_MS = 250;

/** One caller's requests as processes tell them: which windows, how many, whose. */
const TOLD = /^(\w+) (-?\d{1,9}) (.+)$/;

interface SharedCounts {
  /** Makes windows whose counts go to the other processes, and come from them. */
  with(name: string, make: (untold: Untold | undefined) => FixedWindows): FixedWindows;
}

/** Tells the other processes a few times a second how often callers called here: no request waits for it. */
export function shareCounts(clock: Clock, link: Link | undefined): SharedCounts {
  if (link === undefined) return { with: (_name, make) => make(undefined) };
  const byName = new Map<string, FixedWindows>();
  const untold = new Map<string, Map<string, number>>();
  let isDue = false;
  const tell = () => {
    isDue = false;
    const items = [...untold].flatMap(([name, counts]) =>
      [...counts].map(([key, count]) => `${name} ${count} ${key}`),
    );
    for (const counts of untold.values()) counts.clear();
    link.tell('counts', items);
  };
  link.hear('counts', (items) => {
    for (const item of items) {
      const [, name = '', count, key = ''] = TOLD.exec(item) ?? [];
      byName.get(name)?.add(key, Number(count));
    }
  });
  return {
    with: (name, make) => {
      const counts = new Map<string, number>();
      untold.set(name, counts);
      const windows = make((key, requests) => {
        counts.set(key, (counts.get(key) ?? 0) + requests);
        if (isDue) return;
        isDue = true;
        clock.after(TELL_EVERY_MS, tell);
      });
      byName.set(name, windows);
      return windows;
    },
  };
}
