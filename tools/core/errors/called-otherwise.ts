import type { AppError, Issue } from './app-error.ts';
import { fewIssues } from './few-issues.ts';

/** What is wrong, place by place; undefined of a refusal that is about no place of the input. */
export function issuesOf({ details }: Pick<AppError, 'details'>): readonly Issue[] | undefined {
  return details?.['issues'] as Issue[] | undefined;
}

/** What a refusal names, place by place. */
export function placesOf(refusal: AppError): readonly Issue[] {
  const { field = '', message } = refusal;
  return issuesOf(refusal) ?? [{ path: field, message }];
}

/** The same refusal with each of its places called as `nameOf` says. */
export function calledOtherwise(refusal: AppError, nameOf: (path: string) => string): AppError {
  const { message, field } = refusal;
  const issues = issuesOf(refusal) ?? [];
  const called = issues.map((issue) => ({ ...issue, path: nameOf(issue.path) }));
  const own = field === undefined ? undefined : nameOf(field);
  if (own === field && issues.every(({ path }, index) => path === called[index]?.path)) return refusal;
  const told = own === undefined ? {} : { field: own };
  if (issues.length === 0) return refusal.telling(told);
  const total = issues.length + Number(refusal.details?.['moreIssues'] ?? 0);
  // The words are made of the places, but where a refusal has words of its own.
  const isMade = message === fewIssues(issues, total).text;
  return refusal.telling({
    ...told,
    ...(isMade ? { message: fewIssues(called, total).text } : {}),
    details: { ...refusal.details, issues: called },
  });
}
