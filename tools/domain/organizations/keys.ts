import { insertApiKey, type Permission, revokeApiKey } from '../../../store/api-keys.ts';
import { toJson } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { listCustomers } from '../../../store/organizations.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors/refusals.ts';
import type { KeyMaker } from '../../core/ports.ts';
import { keyKind } from './kinds.ts';

export interface NewKey {
  readonly organizationId: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly customerId?: number | undefined;
  readonly environment?: 'live' | 'test';
  readonly expiresAt?: string | undefined;
}

/** A new key. The value is in this answer and nowhere else: only its hash is kept. */
export async function createKey(
  actor: Actor & { readonly keys: KeyMaker },
  wanted: NewKey,
): Promise<{ id: string; value: string }> {
  await requireAccount(actor, wanted);
  const { organizationId, customerId = null, name, permissions } = wanted;
  const { value, hash, obfuscated } = actor.keys.make(wanted.environment ?? 'live');
  const id = actor.newId('key');
  await actor.write(
    (tx) =>
      insertApiKey(tx, makeTenant(organizationId), {
        id,
        customer_id: customerId,
        name,
        hash,
        obfuscated_value: obfuscated,
        permissions: toJson([...permissions]),
        created_at: actor.now,
        updated_at: actor.now,
        last_used_at: null,
        expires_at: wanted.expiresAt ?? null,
        revoked_at: null,
      }),
    {
      kind: keyKind,
      action: 'CREATE',
      resourceId: id,
      resourceName: name,
      changes: { permissions: { to: permissions } },
      tenant: { organizationId, customerId },
    },
  );
  return { id, value };
}

/** A key is bound to an account of its own organization, or to none. */
async function requireAccount({ db }: Actor, wanted: NewKey): Promise<void> {
  const { organizationId, customerId } = wanted;
  const customers = await listCustomers(db, makeTenant(organizationId));
  const lookUp = 'List them with npm run rialto -- organization list.';
  if (customers.length === 0) throw conflict(`Organization ${organizationId} has no account.`, lookUp);
  if (customerId !== undefined && customers.every(({ id }) => id !== customerId)) {
    throw conflict(`Account ${customerId} is not one of organization ${organizationId}.`, lookUp);
  }
}

/** Ends a key, at once. */
export async function revokeKey(actor: Actor, key: { organizationId: number; id: string }): Promise<void> {
  const { organizationId, id } = key;
  await actor.write(
    async (tx) => {
      const revoked = await revokeApiKey(tx, makeTenant(organizationId), { id, now: actor.now });
      if (revoked === undefined) throw notFound(keyKind);
      return revoked;
    },
    ({ customer_id, name }) => ({
      kind: keyKind,
      action: 'DELETE',
      resourceId: id,
      resourceName: name,
      tenant: { organizationId, customerId: customer_id },
    }),
  );
}
