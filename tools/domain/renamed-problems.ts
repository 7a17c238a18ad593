import { AppError } from '../core/errors/app-error.ts';
import { calledOtherwise, issuesOf } from '../core/errors/called-otherwise.ts';

/**
 * Complaints of steps that several callers share, under the names that this caller used. `instead` is where to look
 * for what they name, where this caller looks elsewhere.
 */
export async function renamed<T>(
  nameOf: (path: string) => string,
  work: () => Promise<T>,
  instead?: string,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof AppError ? lookingElsewhere(calledOtherwise(thrown, nameOf), instead) : thrown;
  }
}

function lookingElsewhere(refusal: AppError, instead: string | undefined): AppError {
  const isAdvised = refusal.suggestion !== undefined && issuesOf(refusal) !== undefined;
  return instead === undefined || !isAdvised ? refusal : refusal.telling({ suggestion: instead });
}
