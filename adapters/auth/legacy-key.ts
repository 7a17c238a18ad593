import { fromJson } from '../../store/engine/codec.ts';
import {
  findLegacyKeyByHash,
  type LegacyKey,
  touchLegacyKey,
} from '../../store/unscoped/lent-credentials.ts';
import type { Caller, Deprecated, Services } from '../../tools/core/context.ts';
import { callerFor } from './caller.ts';
import type { Recogniser } from './identify.ts';
import { callerForPerson } from './member.ts';
import { notedUse } from './noted-use.ts';

interface Settings {
  readonly brand: string;
  /** When such keys are taken no more, in milliseconds since 1970. */
  readonly retireAt: number | undefined;
}

/** Recognises keys of the earlier kind (interface, Authentication rule 5): each answer tells that they go. */
export function legacyKeyRecogniser(services: Services, { brand, retireAt }: Settings): Recogniser {
  const use = notedUse(services, touchLegacyKey);
  const { clock } = services.ports;
  const meet = async (key: LegacyKey, endsAt: number): Promise<Caller | null> => {
    const caller = await callerOf(services, key, endsAt);
    const deprecated: Deprecated = {
      since: Date.parse(key.created_at),
      ...(retireAt === undefined ? {} : { until: retireAt }),
    };
    return caller === null ? null : { ...caller, deprecated };
  };
  return async ({ token, hash }) => {
    if (!token.startsWith(`${brand}_`)) return null;
    const key = await findLegacyKeyByHash(services.store.db, hash);
    if (key === undefined) return null;
    const own = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at);
    const endsAt = Math.min(own, retireAt ?? Number.POSITIVE_INFINITY);
    if (endsAt <= clock.now()) return null;
    use.note(key.id);
    return meet(key, endsAt);
  };
}

/**
 * A key of a person acts for the person in its account, and opens nothing that the person does not hold; others act
 * for the account.
 */
function callerOf(
  services: Services,
  key: LegacyKey,
  endsAt: number,
): Caller | null | Promise<Caller | null> {
  const principal = `legacy_key:${key.id}`;
  if (key.user_id !== null) {
    return callerForPerson(services, {
      kind: 'legacy_key',
      userId: key.user_id,
      organizationId: key.organization_id,
      principal,
      name: key.name,
      given: fromJson(key.permissions),
      bound: { customerId: key.customer_id, buyer_id: key.buyer_id, seller_id: key.seller_id },
      endsAt,
    });
  }
  const credential = {
    kind: 'legacy_key' as const,
    principal,
    name: key.name,
    userId: null,
    permissions: new Set(fromJson(key.permissions)),
    ...(Number.isFinite(endsAt) ? { endsAt } : {}),
  };
  return callerFor(services, credential, { opened: key, customerId: key.customer_id });
}
