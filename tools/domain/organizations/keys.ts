import {
  type ApiKeyRow,
  countLiveApiKeys,
  type Environment,
  insertApiKey,
  type Permission,
  revokeApiKey,
} from '../../../store/api-keys.ts';
import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { listCustomers, lockOrganization } from '../../../store/organizations.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors/refusals.ts';
import type { KeyMaker } from '../../core/ports.ts';
import { requireRoom } from '../quota-room.ts';
import { endWithKey } from './ended-subscriptions.ts';
import { holdMaker } from './holding.ts';
import { keyKind } from './kinds.ts';
import { requireOrganization } from './operator-decisions.ts';
import { ownLog } from './own-log.ts';

export interface NewKey {
  readonly organizationId: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly customerId?: number | undefined;
  readonly environment?: Environment;
  readonly expiresAt?: string | undefined;
  /** The person who makes it; without it, the operator does. */
  readonly createdByUserId?: number | null;
  /** In whose log it stands, where that is not the key's own account. */
  readonly loggedIn?: number | null;
  /** How many live keys the organization may have with it. */
  readonly atMost?: number;
}

/** A new key. The value is in this answer and nowhere else: only its hash is kept. */
export async function createKey(
  actor: Actor & { readonly keys: KeyMaker },
  wanted: NewKey,
): Promise<{ id: string; value: string; row: Omit<ApiKeyRow, 'organization_id'> }> {
  await requireAccount(actor, wanted);
  const { organizationId, customerId = null, name, permissions } = wanted;
  const { environment = 'live' } = wanted;
  const { value, hash, obfuscated } = actor.keys.make(environment);
  const id = actor.newId('key');
  const row = {
    id,
    customer_id: customerId,
    name,
    hash,
    obfuscated_value: obfuscated,
    environment,
    permissions: toJson([...permissions]),
    created_by_user_id: wanted.createdByUserId ?? null,
    created_at: actor.now,
    updated_at: actor.now,
    last_used_at: null,
    expires_at: wanted.expiresAt ?? null,
    revoked_at: null,
  };
  await actor.write(
    async (tx) => {
      await roomForKey(tx, wanted, actor.now);
      const { createdByUserId: userId } = wanted;
      if (userId != null) await holdMaker(tx, { userId, organizationId });
      await insertApiKey(tx, makeTenant(organizationId), row);
    },
    {
      kind: keyKind,
      action: 'CREATE',
      resourceId: id,
      resourceName: name,
      changes: {
        permissions: { to: permissions },
        environment: { to: environment },
        ...(customerId === null ? {} : { accountId: { to: customerId } }),
        ...(row.expires_at === null ? {} : { expiresAt: { to: row.expires_at } }),
      },
      tenant: await logOfKey(actor.db, { organizationId, customerId: wanted.loggedIn ?? customerId }),
    },
  );
  return { id, value, row };
}

/** Counted while nobody else makes one. */
async function roomForKey(tx: Db, { organizationId, atMost: most }: NewKey, now: string): Promise<void> {
  if (most === undefined) return;
  const tenant = makeTenant(organizationId);
  await lockOrganization(tx, tenant);
  const there = await countLiveApiKeys(tx, tenant, now);
  requireRoom({ owner: 'organization', what: 'live key', there, most, instead: REVOKE_FIRST });
}

const REVOKE_FIRST = 'Choose one that is no longer needed, and revoke it first.';

/** A key is bound to an account of its own organization, or to none. */
export async function requireAccount(
  { db }: Actor,
  wanted: Pick<NewKey, 'organizationId' | 'customerId'>,
): Promise<void> {
  const { organizationId, customerId } = wanted;
  const customers = await listCustomers(db, makeTenant(organizationId));
  const lookUp = 'List them with npm run rialto -- organization list.';
  if (customers.length === 0) {
    await requireOrganization({ db }, organizationId);
    throw conflict(`Organization ${organizationId} has no account.`, lookUp);
  }
  if (customerId !== undefined && customers.every(({ id }) => id !== customerId)) {
    throw conflict(`Account ${customerId} is not one of organization ${organizationId}.`, lookUp);
  }
}

/** Ends a key, at once, and what ends with it. */
export async function revokeKey(
  actor: Actor,
  key: { readonly organizationId: number; readonly id: string; readonly loggedIn?: number | null },
): Promise<void> {
  const { organizationId, id } = key;
  await actor.write(
    async (tx) => {
      const revoked = await revokeApiKey(tx, makeTenant(organizationId), { id, now: actor.now });
      if (revoked === undefined) {
        await requireOrganization({ db: tx }, organizationId);
        throw notFound(keyKind);
      }
      const changes = await endWithKey(tx, makeTenant(organizationId), { id, now: actor.now });
      const customerId = key.loggedIn ?? revoked.customer_id;
      return { ...revoked, changes, tenant: await logOfKey(tx, { organizationId, customerId }) };
    },
    ({ name, changes, tenant }) => ({
      kind: keyKind,
      action: 'DELETE',
      resourceId: id,
      resourceName: name,
      changes,
      tenant,
    }),
  );
}

/** A key that is bound to no account acts for the whole organization. */
async function logOfKey(
  db: Db,
  log: { readonly organizationId: number; readonly customerId: number | null },
) {
  return log.customerId === null ? ownLog(db, log.organizationId) : log;
}
