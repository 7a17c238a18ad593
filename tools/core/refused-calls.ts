import { findAdvertiser } from '../../store/advertisers.ts';
import type { Scope } from '../../store/engine/scope.ts';
import { type Act, writeRefused } from './audit.ts';
import { actOf, changes } from './audited-calls.ts';
import type { Attempt } from './call-context.ts';
import type { Caller } from './context.ts';
import type { AppError } from './errors/app-error.ts';
import { nowOf } from './moments.ts';
import { advertiserNamedIn } from './named-object.ts';
import { reaches } from './reach.ts';
import { isFields } from './schemas/checks.ts';
import { scopeFor } from './scope-for.ts';

/** Refused calls in the audit log. */

/** Writes the entry of a change that was refused; of a read there is none. */
export async function recordRefusal(attempt: Attempt, caller: Caller, error: AppError): Promise<void> {
  const { services, exchange, tool } = attempt;
  const act = actOf(attempt, caller, nowOf(services.ports.clock));
  if (act === undefined) return;
  try {
    const advertiserId =
      advertiserReached(attempt) ?? (await advertiserNamed(attempt, act, scopeFor(caller, tool.surface)));
    await writeRefused(services.store.db, act, { error, advertiserId });
  } catch (cause) {
    services.log.error({ err: cause, requestId: exchange.from.requestId }, 'audit entry lost');
  }
}

/** The advertiser of the object that a call came as far as to reach. */
function advertiserReached({ found, concerned }: Attempt): number | undefined {
  const id = concerned ?? (isFields(found) ? found['advertiser_id'] : undefined);
  return typeof id === 'number' ? id : undefined;
}

/**
 * The advertiser of the object that the input names, or the one that it names itself. The input may not have passed,
 * and nobody has looked whose that is: what is not of the account of the caller is not taken for it.
 */
async function advertiserNamed(
  { services, tool, raw }: Attempt,
  { kind, resourceId }: Act,
  scope: Scope,
): Promise<number | undefined> {
  if (!changes(tool)) return undefined;
  const db = services.store.dbFor(scope);
  const object = resourceId === undefined ? undefined : await kind.find?.(db, scope, String(resourceId));
  if (object?.advertiser_id !== undefined && reaches(scope, object)) return object.advertiser_id;
  const id = advertiserNamedIn(tool, raw);
  const advertiser = id === undefined ? undefined : await findAdvertiser(db, scope, id);
  return advertiser?.customer_id === scope.customerId ? advertiser.id : undefined;
}
