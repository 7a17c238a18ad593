import { AppError } from '../core/errors/app-error.ts';
import { calledOtherwise } from '../core/errors/called-otherwise.ts';

/** Complaints of steps that several callers share, under the names that this caller used. */
export async function renamed<T>(nameOf: (path: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof AppError ? calledOtherwise(thrown, nameOf) : thrown;
  }
}
