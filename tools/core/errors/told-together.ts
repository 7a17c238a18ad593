import { AppError } from './app-error.ts';
import { placesOf } from './called-otherwise.ts';
import { contradiction, invalidInput } from './refusals.ts';

/** Throws all that is wrong with fields as one refusal: who corrects one place would meet the next one else. */
export function throwTogether(problems: readonly AppError[]): void {
  const [first, another] = problems;
  if (first === undefined) return;
  if (another === undefined) throw first;
  const suggestion = [...new Set(problems.flatMap(({ suggestion: said }) => said ?? []))].join(' ');
  const refuse = problems.every(({ status }) => status === 400) ? invalidInput : contradiction;
  throw refuse(problems.flatMap(placesOf), { suggestion });
}

/** What comes of work that refuses fields: undefined where it did, and its refusal is told with the others. */
export async function orProblem<T>(problems: AppError[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (!isOfFields(thrown)) throw thrown;
    problems.push(thrown);
    return undefined;
  }
}

/** What work refuses of fields: nothing where it does, or where it refuses for another reason. */
export async function problemsOfFields(work: () => Promise<unknown>): Promise<AppError[]> {
  try {
    await work();
    return [];
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return isOfFields(thrown) ? [thrown] : [];
  }
}

/** Whether it says of places of the input that they are wrong, and of nothing else. */
function isOfFields(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && placesOf(thrown).every(({ path }) => path !== '');
}
