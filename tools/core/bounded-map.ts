/**
 * Keeps one more entry of a map that only spares work. At its bound everything in it is forgotten and found again:
 * what strangers send decides how much comes, and never how much stays.
 */
export function keep<K, V>(
  entries: Map<K, V>,
  { key, value, max }: { readonly key: K; readonly value: V; readonly max: number },
): void {
  if (entries.size >= max && !entries.has(key)) entries.clear();
  entries.set(key, value);
}
