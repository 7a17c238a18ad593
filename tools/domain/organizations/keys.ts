import { type Environment, insertApiKey, type Permission, revokeApiKey } from '../../../store/api-keys.ts';
import { toJson } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { listCustomers } from '../../../store/organizations.ts';
import { deleteSubscriptionsOf } from '../../../store/webhooks.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors/refusals.ts';
import type { KeyMaker } from '../../core/ports.ts';
import { holderOfKey } from './holders.ts';
import { keyKind } from './kinds.ts';

export interface NewKey {
  readonly organizationId: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly customerId?: number | undefined;
  readonly environment?: Environment;
  readonly expiresAt?: string | undefined;
}

/** A new key. The value is in this answer and nowhere else: only its hash is kept. */
export async function createKey(
  actor: Actor & { readonly keys: KeyMaker },
  wanted: NewKey,
): Promise<{ id: string; value: string }> {
  await requireAccount(actor, wanted);
  const { organizationId, customerId = null, name, permissions } = wanted;
  const { environment = 'live' } = wanted;
  const { value, hash, obfuscated } = actor.keys.make(environment);
  const id = actor.newId('key');
  await actor.write(
    (tx) =>
      insertApiKey(tx, makeTenant(organizationId), {
        id,
        customer_id: customerId,
        name,
        hash,
        obfuscated_value: obfuscated,
        environment,
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
      changes: { permissions: { to: permissions }, environment: { to: environment } },
      tenant: { organizationId, customerId },
    },
  );
  return { id, value };
}

/** A key is bound to an account of its own organization, or to none. */
export async function requireAccount(
  { db }: Actor,
  wanted: Pick<NewKey, 'organizationId' | 'customerId'>,
): Promise<void> {
  const { organizationId, customerId } = wanted;
  const customers = await listCustomers(db, makeTenant(organizationId));
  const lookUp = 'List them with npm run rialto -- organization list.';
  if (customers.length === 0) throw conflict(`Organization ${organizationId} has no account.`, lookUp);
  if (customerId !== undefined && customers.every(({ id }) => id !== customerId)) {
    throw conflict(`Account ${customerId} is not one of organization ${organizationId}.`, lookUp);
  }
}

/**
 * Ends a key, at once, and with it the webhook subscriptions that carry its grants. Those of a key without
 * grants belong to the account, and live on.
 */
export async function revokeKey(actor: Actor, key: { organizationId: number; id: string }): Promise<void> {
  const { organizationId, id } = key;
  await actor.write(
    async (tx) => {
      const revoked = await revokeApiKey(tx, makeTenant(organizationId), { id, now: actor.now });
      if (revoked === undefined) throw notFound(keyKind);
      const ended = await deleteSubscriptionsOf(tx, makeTenant(organizationId), {
        principal: holderOfKey(id),
        now: actor.now,
      });
      return { ...revoked, ended };
    },
    ({ customer_id, name, ended }) => ({
      kind: keyKind,
      action: 'DELETE',
      resourceId: id,
      resourceName: name,
      ...(ended.length === 0 ? {} : { changes: { webhookSubscriptions: { from: ended, to: [] } } }),
      tenant: { organizationId, customerId: customer_id },
    }),
  );
}
