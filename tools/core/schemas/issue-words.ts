import type { z } from 'zod';
import { valueAt } from './input-mending.ts';
import { withFullStop } from './sentences.ts';

/** What is said of a value that its schema does not take. */

/** What the schema says itself begins like this when nobody gave it words. */
const NO_WORDS = /^Invalid (?:input|option)\b/;

/** `known` are the fields of the object that is wanted at the place, if one is. */
export function messageOf(issue: z.core.$ZodIssue, known: readonly string[], input: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return wanted(issue, known, valueAt(input, issue.path));
    case 'invalid_value':
      return `Give one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      return `${bound('Less than', 'at the most', issue, issue.maximum)}.`;
    case 'too_small':
      return `${bound('More than', 'at the least', issue, issue.minimum)}.`;
    default:
      return withFullStop(issue.message);
  }
}

/** What has to be there, of which type. */
function wanted(issue: z.core.$ZodIssueInvalidType, known: readonly string[], given: unknown): string {
  const fields = known.length === 0 ? '' : ` with ${known.join(', ')}`;
  const instead = typeof given === 'string' && /^\s*[[{]/.test(given) ? ', not its JSON as text' : '';
  const words = NO_WORDS.test(issue.message)
    ? `Give ${kindOf(issue.expected)}${fields}${instead}.`
    : withFullStop(issue.message);
  return given === undefined || given === null ? words.replace(/^Give/, 'Required: give') : words;
}

interface Bound {
  readonly origin: string;
  readonly inclusive?: boolean | undefined;
}

// biome-ignore lint/complexity/useMaxParams: the words of both forms, and what they are about.
function bound(outside: string, inside: string, { inclusive, origin }: Bound, limit: number | bigint) {
  return inclusive === false ? `${outside} ${limit}` : `${limit}${unitOf(origin, limit)} ${inside}`;
}

function unitOf(origin: string, limit: number | bigint): string {
  const isOne = Number(limit) === 1;
  if (origin === 'string') return isOne ? ' character' : ' characters';
  if (origin !== 'array' && origin !== 'set') return '';
  return isOne ? ' entry' : ' entries';
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
};

function kindOf(expected: string): string {
  return KINDS[expected] ?? (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`);
}
