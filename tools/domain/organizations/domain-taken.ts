import type { AppError } from '../../core/errors/app-error.ts';
import { conflict } from '../../core/errors/refusals.ts';

/** Whose it is nobody is told. */
export function domainTaken(domain: string): AppError {
  return conflict(
    `The domain ${domain} is verified for another organization.`,
    'A domain belongs to one organization alone. Give another one, or ask the operator of this service if it is yours.',
  );
}

/** The same to the operator, who may know whose it is, and whose mistake it may have been. */
export function domainTakenBy(domain: string, holder: number): AppError {
  return conflict(
    `The domain ${domain} is verified for organization ${holder}, and belongs to one organization alone.`,
    `Where that is wrong, take it back with npm run rialto -- organization unverify-domain --organization ${holder} --domain ${domain}.`,
  );
}
