import { isUnavailable } from '../../store/engine/dialect.ts';
import type { Log } from './context.ts';
import { AppError } from './errors/app-error.ts';
import { internalError, unavailable } from './errors/refusals.ts';

/**
 * What was thrown, as an error that may be shown. What nobody foresaw says nothing of itself to the caller,
 * and is logged here, once: it leaves as an `AppError`, which later boundaries pass on.
 */
export function refusalFor(
  thrown: unknown,
  log: Pick<Log, 'error'>,
  facts: { readonly requestId?: string; readonly doing: string; readonly tool?: string },
): AppError {
  if (thrown instanceof AppError) return thrown;
  const { doing, ...named } = facts;
  log.error({ err: thrown, ...named }, `${doing} failed`);
  if (isUnavailable(thrown)) return unavailable('The database cannot do this at present.', { cause: thrown });
  return internalError(thrown);
}
