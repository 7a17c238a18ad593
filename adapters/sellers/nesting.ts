/** Levels of an answer that are read: the deepest field of AdCP stands far above. As in `answer-worker.mjs`. */
const LEVELS_MAX = 32;

/**
 * An answer whose nesting ends: what stands deeper is null. Whoever walks through it later, or writes it as JSON, would
 * run out of stack at some ten thousand levels, and its seller would lose the whole answer over one field.
 */
export function levelled(answer: unknown): unknown {
  return isWithin(answer, LEVELS_MAX) ? answer : cut(answer, LEVELS_MAX);
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isWithin(one, levels - 1));
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((one) => cut(one, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, levels - 1)]));
}
