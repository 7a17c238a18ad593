/** Of a list whose entries each name an object in this field: that none is named twice, for `refine`. */
export function eachOnce<K extends string>(field: K) {
  const holds = (given: readonly Readonly<Record<K, unknown>>[]) =>
    new Set(given.map((entry) => entry[field])).size === given.length;
  return [holds, `Give each ${field} once.`] as const;
}

/** Words of a list, each once however often it was given, for `transform`. */
export function withoutRepeats<T>(given: readonly T[]): T[] {
  return [...new Set(given)];
}
