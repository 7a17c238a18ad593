import { findApiKey } from '../../../store/api-keys.ts';
import type { Tenant } from '../../../store/engine/scope.ts';
import { isMember } from '../../../store/memberships.ts';
import type { Actor, Caller } from '../../core/context.ts';
import { conflict, invalid } from '../../core/errors/refusals.ts';

/** Where keys are kept that are no rows of ours (`domain/credentials/port.ts`). */
export interface Keeper {
  /** One that is live there. */
  find(
    actor: Actor,
    key: { readonly organizationId: number; readonly id: string },
  ): Promise<object | undefined>;
}

const KEY = 'api_key:';
const USER = 'user:';

/** Whom grants narrow and webhook subscriptions belong to: a credential as the audit log names it. */
export function holderOfKey(id: string): string {
  return `${KEY}${id}`;
}

/** A person, as grants and counts name them. */
export function holderOfUser(id: number): string {
  return `${USER}${id}`;
}

/** Whose grants narrow a caller: its credential's own, or of a token those of the person it acts for. */
export function holderOf({ holder, principal }: Pick<Caller, 'holder' | 'principal'>): string {
  return holder ?? principal;
}

/**
 * A holder that this organization has: a grant to anybody else would narrow nobody, and say that it did. Keys that are
 * no rows of ours are asked for where they are kept.
 */
export async function requireHolder(
  actor: Actor,
  { tenant, holder, keeper }: { readonly tenant: Tenant; readonly holder: string; readonly keeper?: Keeper },
): Promise<void> {
  const { db } = actor;
  if (holder.startsWith(KEY)) {
    const id = holder.slice(KEY.length);
    const { organizationId } = tenant;
    const key = await findApiKey(db, tenant, id);
    if (key?.revoked_at === null) return;
    if (key === undefined && (await keeper?.find(actor, { organizationId, id })) !== undefined) return;
    throw conflict(`${holder} is no live key of organization ${organizationId}.`, LIST_KEYS);
  }
  if (holder.startsWith(USER)) {
    const id = holder.slice(USER.length);
    if (/^[1-9]\d{0,15}$/.test(id) && (await isMember(db, tenant, Number(id)))) return;
    throw conflict(
      `${holder} is no person of organization ${tenant.organizationId}.`,
      'Make the person known with npm run rialto -- user add, which says the id.',
    );
  }
  throw noHolder(holder);
}

/** A holder as grants name one, whether or not it is still there: what it held may be taken away. */
export function requireHolderName(holder: string): void {
  if (!/^(?:api_key:\S+|user:[1-9]\d{0,15})$/.test(holder)) throw noHolder(holder);
}

function noHolder(holder: string) {
  return invalid('holder', `${holder} is no holder.`, { suggestion: nearest(holder) });
}

const LIST_KEYS =
  'List its keys with npm run rialto -- key list; those that a service elsewhere keeps, at /settings/keys.';

function nearest(holder: string): string {
  const id = holder.replace(/^.*:/, '');
  if (id.startsWith('key_')) return `Did you mean ${holderOfKey(id)}?`;
  if (/^\d+$/.test(id)) return `Did you mean ${USER}${id}?`;
  return `Give ${USER}<id> or ${KEY}<id>, such as ${USER}7 or ${KEY}key_….`;
}
