import { type Permission, permissions } from '../../../store/api-keys.ts';
import { toJson } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { importLegacyKey } from '../../../store/legacy-keys.ts';
import { findDirectRole } from '../../../store/memberships.ts';
import { listCustomers } from '../../../store/organizations.ts';
import { findUserByEmail } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { legacyKeyKind } from './kinds.ts';

/** A key of the earlier kind, as it is taken in: its value was hashed by whoever read it. */
export interface LegacyKeyToImport {
  readonly organizationId: number;
  readonly customerId: number;
  /** Address of the person it acts for; absent for one of the account. */
  readonly email?: string | undefined;
  readonly name: string;
  /** SHA-256 of the key, lowercase hex. */
  readonly hash: string;
  readonly obfuscatedValue: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt?: string | undefined;
}

/** Why a key cannot be taken in, undefined where it can. */
export async function problemOfImport({ db }: Actor, key: LegacyKeyToImport): Promise<string | undefined> {
  const tenant = makeTenant(key.organizationId);
  const accounts = await listCustomers(db, tenant);
  if (accounts.every(({ id }) => id !== key.customerId)) {
    return `account ${key.customerId} is not one of organization ${key.organizationId}`;
  }
  if (key.email === undefined) return undefined;
  const user = await findUserByEmail(db, key.email.toLowerCase());
  const role = user === undefined ? undefined : await findDirectRole(db, tenant, user.id);
  return role === undefined ? `${key.email} has no role in organization ${key.organizationId}` : undefined;
}

/** Takes in a key. Gives its id; undefined where it was taken in before. */
export async function importKey(actor: Actor, key: LegacyKeyToImport): Promise<string | undefined> {
  const { organizationId, customerId, email } = key;
  const user = email === undefined ? undefined : await findUserByEmail(actor.db, email.toLowerCase());
  const id = actor.newId('lk');
  return actor.write(
    async (tx) => {
      const isNew = await importLegacyKey(tx, makeTenant(organizationId), {
        id,
        customer_id: customerId,
        user_id: user?.id ?? null,
        name: key.name,
        hash: key.hash,
        obfuscated_value: key.obfuscatedValue,
        permissions: toJson([...key.permissions]),
        created_at: actor.now,
        last_used_at: null,
        expires_at: key.expiresAt ?? null,
        revoked_at: null,
      });
      return isNew ? id : undefined;
    },
    (taken) =>
      taken === undefined
        ? undefined
        : {
            kind: legacyKeyKind,
            action: 'CREATE',
            resourceId: taken,
            resourceName: key.name,
            changes: {
              permissions: { to: key.permissions },
              ...(email === undefined ? {} : { actsFor: { to: email.toLowerCase() } }),
              ...(key.expiresAt === undefined ? {} : { expiresAt: { to: key.expiresAt } }),
            },
            tenant: { organizationId, customerId },
          },
  );
}

/** The permissions that a text names, separated by commas or blanks; undefined where one is none. */
export function permissionsIn(text: string): Permission[] | undefined {
  const names = text.split(/[\s,;]+/).filter((name) => name !== '');
  const known = permissions.filter((permission) => names.includes(permission));
  return known.length === new Set(names).size && known.length > 0 ? known : undefined;
}
