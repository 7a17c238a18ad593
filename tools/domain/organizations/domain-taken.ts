import type { AppError } from '../../core/errors/app-error.ts';
import { conflict } from '../../core/errors/refusals.ts';

export function domainTaken(domain: string): AppError {
  return conflict(
    `${domain} is the verified domain of another organization.`,
    'A domain belongs to one organization alone.',
  );
}
