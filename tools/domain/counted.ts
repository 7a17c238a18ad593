/** How many there are of what a word names, in words. Pure. */
export function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

interface Few {
  /** How many are named. */
  readonly most: number;
  /** How many there are, where not all of them are given. */
  readonly total?: number;
  /** What they are, where that is said of those that are not named. */
  readonly word?: string;
}

/** The first of some names, and how many there are beside. Pure. */
export function firstFew(names: readonly string[], { most, total = names.length, word }: Few): string {
  const named = names.slice(0, most);
  const more = total - named.length;
  const beside = word === undefined ? `${more}` : counted(more, word);
  return `${named.join(', ')}${more > 0 ? ` and ${beside} more` : ''}`;
}
