import { invalid } from '../../core/errors/refusals.ts';

/** A flight that is over before it is bought is a slip of the pen. */
export function requireAhead(field: string, { endDate }: { readonly endDate: string }, now: string): void {
  if (endDate > now) return;
  throw invalid(field, 'The flight is over already.', {
    suggestion: `Give a moment after ${now}.`,
  });
}
