/** What is made when it is asked for, and then kept. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What is reckoned of a value, once for each however often it is asked for: such values are never written to. */
export function onceOf<Of extends object, T>(reckon: (value: Of) => T): (value: Of) => T {
  const reckoned = new WeakMap<Of, { readonly value: T }>();
  return (value) => {
    const known = reckoned.get(value) ?? { value: reckon(value) };
    reckoned.set(value, known);
    return known.value;
  };
}
