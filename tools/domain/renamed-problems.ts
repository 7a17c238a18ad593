import { AppError, type Issue } from '../core/errors/app-error.ts';
import { contradiction, invalidInput } from '../core/errors/refusals.ts';

/** Complaints of steps that several callers share, under the names that this caller used. */
export async function renamed<T>(nameOf: (path: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof AppError ? asCalled(thrown, nameOf) : thrown;
  }
}

function asCalled(refusal: AppError, nameOf: (path: string) => string): AppError {
  const { status, suggestion } = refusal;
  const issues = issuesOf(refusal);
  if (issues === undefined) return refusal;
  const refuse = status === 422 ? contradiction : invalidInput;
  const called = issues.map(({ path, message }) => ({ path: nameOf(path), message }));
  return refuse(called, suggestion === undefined ? {} : { suggestion });
}

/** What is wrong, place by place; undefined of a refusal that is about no place of the input. */
export function issuesOf({ details }: AppError): Issue[] | undefined {
  return details?.['issues'] as Issue[] | undefined;
}
