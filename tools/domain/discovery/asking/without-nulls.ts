/** Fields of a product that matter stand no deeper. */
const DEPTH_MAX = 8;

/** Many sellers write null where they have nothing to say: for a reader that is the same as no field. */
export function withoutNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    return value.flatMap((item) => (item === null ? [] : [withoutNulls(item, depth + 1)]));
  }
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutNulls(field, depth + 1)]));
}
