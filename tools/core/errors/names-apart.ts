/** What a text names: sellers, or media buys, of which several may be called the same. */
export interface Named {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of its name, for whoever reads: the storefront of a source. */
  readonly beside?: string | undefined;
}

/**
 * The names of these by their ids, each once. Beside a name that several have stands what tells them apart, and its id
 * where nothing else does.
 */
export function namesApart(all: readonly Named[]): ReadonlyMap<string, string> {
  const each = [...new Map(all.map((one) => [one.id, one])).values()];
  const inFull = each.map(({ id, name, beside = name }) => [id, name, `${name} (${beside})`] as const);
  const counts = countsOf(inFull.flatMap(([, name, full]) => [name, full]));
  return new Map(
    inFull.map(([id, name, full]) => {
      if (counts.get(name) === 1) return [id, name];
      return [id, counts.get(full) === 1 ? full : `${name} (${id})`];
    }),
  );
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
