import { fromJson } from '../../store/engine/codec.ts';
import type { ApiKeyHolder } from '../../store/unscoped/credentials.ts';
import { findApiKeyHolder, touchApiKey } from '../../store/unscoped/credentials.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { holderOfKey } from '../../tools/domain/organizations/holders.ts';
import { keyCheck } from '../ports/keys.ts';
import { callerFor } from './caller.ts';
import type { Recogniser } from './identify.ts';
import { notedUse } from './noted-use.ts';

/** Recognises organization API keys (interface, Authentication: credential kinds). */
export function apiKeyRecogniser(services: Services, brand: string): Recogniser {
  const isKey = keyCheck(brand);
  const admitted = admission(services);
  return ({ token, hash }) => {
    const holder = findApiKeyHolder(services.store.db, hash, () => isKey(token));
    return holder instanceof Promise ? holder.then(admitted) : admitted(holder);
  };
}

/** Makes callers of the holders of keys, one for each holder: most calls come with a key that is known. */
function admission(services: Services) {
  const use = notedUse(services, touchApiKey);
  const callers = new WeakMap<ApiKeyHolder, Caller>();
  const meet = async (holder: ApiKeyHolder): Promise<Caller> => {
    use.note(holder.id);
    const caller = await callerOf(services, holder);
    callers.set(holder, caller);
    return caller;
  };
  return (holder: ApiKeyHolder | undefined): Caller | null | Promise<Caller> => {
    const now = services.ports.clock.now();
    if (holder === undefined || isExpired(holder, now)) return null;
    const caller = callers.get(holder);
    return caller !== undefined && use.isNoted(holder.id, now) ? caller : meet(holder);
  };
}

function isExpired(holder: ApiKeyHolder, now: number): boolean {
  return holder.expires_at !== null && Date.parse(holder.expires_at) <= now;
}

function callerOf(services: Services, holder: ApiKeyHolder): Caller | Promise<Caller> {
  const credential = {
    kind: 'api_key' as const,
    principal: holderOfKey(holder.id),
    name: holder.name,
    userId: null,
    permissions: new Set(fromJson(holder.permissions)),
    ...(holder.expires_at === null ? {} : { endsAt: Date.parse(holder.expires_at) }),
  };
  return callerFor(services, credential, {
    opened: holder,
    customerId: holder.customer_id,
    isTest: holder.environment === 'test',
  });
}
