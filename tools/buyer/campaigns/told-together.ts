import type { AppError } from '../../core/errors/app-error.ts';
import { contradiction, invalidInput } from '../../core/errors/refusals.ts';
import { placesOf } from '../../domain/buying/choice/choice-problems.ts';

/** Throws all that is wrong with fields as one refusal: who corrects one place would meet the next one else. */
export function throwTogether(problems: readonly AppError[]): void {
  const [first, another] = problems;
  if (first === undefined) return;
  if (another === undefined) throw first;
  const suggestion = [...new Set(problems.flatMap(({ suggestion: said }) => said ?? []))].join(' ');
  const refuse = problems.every(({ status }) => status === 400) ? invalidInput : contradiction;
  throw refuse(problems.flatMap(placesOf), { suggestion });
}
