import type { Targeting } from '../../../../store/discovery-selections.ts';
import { isFields } from '../../../core/schemas/checks.ts';

/** Another targeting of a package, held against the one that its seller shows. Pure. */

interface Compared {
  /** What the seller was told. */
  readonly asked: Targeting;
  readonly told: Readonly<Record<string, unknown>>;
  /** What was said of the package before. */
  readonly before: Targeting;
}

export interface TargetingRead {
  /** Whether the seller shows anything that was asked for. */
  readonly shown: boolean;
  /** The fields in which it targets otherwise. */
  readonly other: readonly string[];
}

/**
 * A field that was asked for differs; one that was dropped stands there as before. What else is shown is the seller’s.
 */
export function targetingDifferences({ asked, told, before }: Compared): TargetingRead {
  const shown = Object.keys(asked).filter((field) => isThere(asked[field]) && isThere(told[field]));
  const changed = shown.filter((field) => !says(told[field], asked[field]));
  const left = Object.keys(before).filter(
    (field) => !isThere(asked[field]) && isThere(told[field]) && says(told[field], before[field]),
  );
  return { shown: shown.length > 0, other: [...changed, ...left] };
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value says what was asked for, in any order and in any case; what it says beside it is the seller’s. */
function says(told: unknown, asked: unknown): boolean {
  if (Array.isArray(asked)) return Array.isArray(told) && saysAll(told, asked);
  if (typeof asked === 'string') return typeof told === 'string' && wordOf(told) === wordOf(asked);
  if (!isFields(asked)) return told === asked;
  return isFields(told) && Object.keys(asked).every((name) => says(told[name], asked[name]));
}

function saysAll(told: readonly unknown[], asked: readonly unknown[]): boolean {
  const [words, wanted] = [wordsIn(told), wordsIn(asked)];
  if (wanted !== undefined) return words !== undefined && isSame(words, wanted);
  return (
    told.length === asked.length &&
    asked.every((one) => told.slice(0, LIST_MAX).some((other) => says(other, one)))
  );
}

/** Objects that are held against each other one by one. */
const LIST_MAX = 200;

/** The words of a list, or the codes in its entries: the systems of those go by several names. */
function wordsIn(list: readonly unknown[]): ReadonlySet<string> | undefined {
  const words = list.flatMap((entry) => (isFields(entry) ? entry['values'] : entry));
  return words.every((word) => typeof word === 'string') ? new Set(words.map(wordOf)) : undefined;
}

function isSame(told: ReadonlySet<string>, asked: ReadonlySet<string>): boolean {
  return told.size === asked.size && [...asked].every((word) => told.has(word));
}

function wordOf(text: string): string {
  return text.trim().toLowerCase();
}
