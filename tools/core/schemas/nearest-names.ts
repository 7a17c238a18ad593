import { distance } from 'fastest-levenshtein';

const NEAREST_MAX = 3;
/** Nobody mistypes a longer name, and comparing takes time that grows with its square. */
const NAME_MAX = 64;
const CLOSE = 0.4;

/**
 * The known names that somebody may have meant, the nearest first: those that share words with the name, in
 * whatever order (`list_campaigns`, `campaign_list`), and those that are a slip of the pen away.
 */
export function nearestNames(name: string, known: Iterable<string>): string[] {
  const meant = name
    .slice(0, NAME_MAX)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  const scored = [...known].map((one) => ({ one, score: likeness(meant, one) }));
  return scored
    .filter(({ score }) => score >= CLOSE)
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAREST_MAX)
    .map(({ one }) => one);
}

/** From 0 to 1. */
function likeness(meant: string, known: string): number {
  const spelled = 1 - distance(meant, known) / Math.max(meant.length, known.length, 1);
  const words = wordsOf(meant);
  const others = wordsOf(known);
  const shared = [...words].filter((word) => others.has(word)).length;
  return Math.max(spelled, shared / Math.max(words.size, others.size, 1));
}

/** Its words, each in the singular. */
function wordsOf(name: string): Set<string> {
  return new Set(name.split('_').flatMap((word) => word.replace(/(?<=..)s$/, '') || []));
}
