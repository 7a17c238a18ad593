import type { AppError } from '../../core/errors/app-error.ts';
import { conflict } from '../../core/errors/refusals.ts';

/** Whose it is nobody is told. */
export function domainTaken(domain: string): AppError {
  return conflict(
    `The domain ${domain} is verified for another organization.`,
    'A domain belongs to one organization alone. Give another one, or ask the operator of this service if it is yours.',
  );
}
