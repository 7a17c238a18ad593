import type { Issue } from './app-error.ts';

/** So many problems are named; of the others it is said how many they are. */
export const ISSUES_MAX = 20;

/** Problems as a refusal names them. */
interface FewIssues {
  /** Each with its place, and how many there are beside. */
  readonly text: string;
  readonly details: { readonly issues: readonly Issue[]; readonly moreIssues?: number };
}

/** The first problems of all; `total` is how many there are, where not all of them were put into words. Pure. */
export function fewIssues(all: readonly Issue[], total = all.length): FewIssues {
  const issues = all.slice(0, ISSUES_MAX);
  const more = total - issues.length;
  const texts = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (more <= 0) return { text: texts.join(' '), details: { issues } };
  texts.push(`There ${more === 1 ? 'is 1 more problem' : `are ${more} more problems`}.`);
  return { text: texts.join(' '), details: { issues, moreIssues: more } };
}
