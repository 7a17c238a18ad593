import type { ApiKeyRow } from '../../../store/api-keys.ts';
import { findApiKey, listUnrevokedApiKeys } from '../../../store/api-keys.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import type { Actor } from '../../core/context.ts';
import { momentOf } from '../../core/moments.ts';
import type { Clock, KeyMaker, Tokens } from '../../core/ports.ts';
import { createKey, revokeKey } from '../organizations/keys.ts';
import { type CredentialProvider, type OrganizationKey, WIDGET_SCOPE, widgetAudience } from './port.ts';

interface Parts {
  readonly keys: KeyMaker;
  readonly tokens: Tokens;
  readonly clock: Pick<Clock, 'now'>;
  readonly brand: string;
  /** Live keys that an organization may have. */
  readonly most: number;
  /** How long a widget token lives. */
  readonly widgetMs: number;
}

/** Keys in our own tables. */
export function embeddedCredentials({
  keys,
  tokens,
  clock,
  brand,
  most,
  widgetMs,
}: Parts): CredentialProvider {
  return {
    create: async (actor, wanted) => {
      const { value, row } = await createKey({ ...plain(actor), keys }, { ...wanted, atMost: most });
      return { key: keyOf({ ...row, organization_id: wanted.organizationId }), value };
    },
    list: async ({ db }, organizationId, page) => {
      const { rows, total } = await listUnrevokedApiKeys(db, makeTenant(organizationId), page);
      return { rows: rows.map(keyOf), total };
    },
    find: async ({ db }, { organizationId, id }) => {
      const row = await findApiKey(db, makeTenant(organizationId), id);
      return row?.revoked_at === null ? keyOf(row) : undefined;
    },
    revoke: async (actor, key) => {
      await revokeKey(actor, key);
      return actor.now;
    },
    widgetToken: async ({ organizationId, userId, sessionId }) => {
      const seconds = Math.floor(widgetMs / 1_000);
      const token = await tokens.sign({
        type: 'widget+jwt',
        audience: widgetAudience(brand),
        subject: String(userId),
        seconds,
        claims: { org_id: organizationId, sid: sessionId, scope: WIDGET_SCOPE },
      });
      const issued = Math.floor(clock.now() / 1_000);
      return { token, expiresAt: momentOf((issued + seconds) * 1_000) };
    },
  };
}

/** An actor by its parts: what a call acts with has them on its class, where a spread does not see them. */
function plain(actor: Actor): Actor {
  const { db, now } = actor;
  return {
    db,
    now,
    newId: (prefix) => actor.newId(prefix),
    write: (work, subject) => actor.write(work, subject),
  };
}

function keyOf(row: ApiKeyRow): OrganizationKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    permissions: fromJson(row.permissions),
    obfuscatedValue: row.obfuscated_value,
    createdByUserId: row.created_by_user_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  };
}
