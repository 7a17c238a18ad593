import { expect } from 'vitest';
import { errorCatalogue } from '../../../tools/core/errors/catalogue.ts';
import { stepsIn } from '../house/steps-named.ts';
import type { Reply } from './client.ts';

interface Place {
  readonly path: string;
  readonly message: string;
}

interface Listed {
  readonly issues?: readonly Place[];
  readonly unsupported?: readonly { readonly field?: string; readonly reason?: string }[];
}

/** What a refusal says to whoever reads it. */
export interface RefusalWords {
  readonly message: string;
  readonly suggestion: string | undefined;
  /** The one field that is wrong, when there is one. */
  readonly field: string | undefined;
  readonly issues: readonly Place[];
}

/** A sentence: it begins like one, or with the path of a field, and it ends. */
const SENTENCE = /^(?:\p{Lu}|\d|[“"'`<]|[\w.[\]]+: ).{2,}[.?]$/su;
/** What only somebody who forgot to write a sentence lets through. */
const SLIPS = /\bundefined\b|\[object|\bNaN\b|\bnull\b|\s{2}|\n| \.|\.\.|: *$|\bat \S+ \(/;
/** The word for a code is no explanation of it. */
const CODE = /^[A-Z]+(?:_[A-Z]+)+\.?$/;

/**
 * The words of a refusal, once they are seen to help: whole sentences that name every path that is wrong, and
 * what to do next wherever the caller can do something.
 */
export function wordsOf({ body }: Pick<Reply, 'body'>): RefusalWords {
  const { code, message, field, details } = body.error;
  const suggestion: string | undefined = details?.suggestion;
  const issues: RefusalWords['issues'] = details?.issues ?? [];
  expectSentence(message, `the message of ${code}`);
  if (suggestion !== undefined) expectSentence(suggestion, `the suggestion of ${code}`);
  if (canBeHelped(code)) expectHelp({ code, message, suggestion, field, issues });
  for (const issue of issues) {
    expectSentence(issue.message, `what is said of ${issue.path}`);
    // Who is asked whether they meant what they gave learns nothing.
    expect(issue.message, `what is said of ${issue.path}`).not.toContain(
      `Did you mean ${issue.path.split('.').at(-1)}?`,
    );
    const said = issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`;
    expect(message, `the message names ${issue.path}`).toContain(said);
  }
  const paths = new Set(issues.map(({ path }) => path));
  const [only] = paths;
  if (paths.size === 1 && only !== '') expect(field, 'the one field that is wrong').toBe(only);
  return { message, suggestion, field, issues };
}

/** What is said of each place that a refusal names; nothing where it names none. */
export function placesOf({ body }: Pick<Reply, 'body'>): Readonly<Record<string, string>> {
  const { field, message, details = {} } = body.error;
  const places: Record<string, string> = {};
  for (const { path, message: words } of listedIn(details)) {
    const before = Object.hasOwn(places, path) ? places[path] : undefined;
    // Of several sellers each may say the same of a field.
    if (before !== words) places[path] = before === undefined ? words : `${before} ${words}`;
  }
  return Object.keys(places).length > 0 || field === undefined ? places : { [field]: message };
}

/** The places that its details list: of the input, or of what sellers do not declare. */
function listedIn({ issues, unsupported = [] }: Listed): readonly Place[] {
  const named = unsupported.flatMap(({ field: path, reason: message = '' }) =>
    path === undefined ? [] : [{ path, message }],
  );
  return issues ?? named;
}

function canBeHelped(code: string): boolean {
  const entry = Object.entries(errorCatalogue).find(([name]) => name === code)?.[1];
  expect(entry, `${code} is in the catalogue`).toBeDefined();
  return (
    entry?.recovery !== 'terminal' || ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'ACCESS_DENIED'].includes(code)
  );
}

/** The same call in another way, or somebody who can help. */
const SAME_OR_OTHERS =
  /\b(?:again|ask|call|choose|come|connect|correct|give|leave|open|raise|retry|say|send|sign in|switch|use|wait|write)\b|npm run/i;

/** A thing to do that is named, so that nobody has to search for the way to it; a field that is wrong is one. */
function expectHelp({ code, message, suggestion, field, issues }: RefusalWords & { code: string }): void {
  expect(suggestion, `a suggestion for ${code}: ${message}`).toBeDefined();
  if (field !== undefined || issues.length > 0 || stepsIn(suggestion).length > 0) return;
  expect(suggestion, 'what to do next, by the name of a tool, by its address, or by whom to ask').toMatch(
    SAME_OR_OTHERS,
  );
}

function expectSentence(text: unknown, what: string): void {
  expect(text, what).toMatch(SENTENCE);
  expect(text, what).not.toMatch(SLIPS);
  expect(text, what).not.toMatch(CODE);
}
