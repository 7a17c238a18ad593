import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fromFlag, fromJson } from '../../store/engine/codec.ts';
import type { ApiKeyHolder } from '../../store/unscoped/credentials.ts';
import { apiKeyHolders, findReach, touchApiKey } from '../../store/unscoped/credentials.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import type { Recogniser } from './identify.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const TOUCH_EVERY_MS = 60_000;

/**
 * An organization API key: `<brand>k_<live|test>_`, 40 random characters (238 bits), and 6 that check them,
 * so that a scanner, and our first look, tells a key from a typing error without a database.
 */
export function makeApiKey(brand: string, environment: 'live' | 'test'): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${brand}k_${environment}_${random}${checkOf(random)}`;
}

function checkOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** What is stored of a key. A key is random enough for a fast hash. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The key as lists show it: its prefix and its last four characters. */
export function obfuscate(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 1)}…${key.slice(-4)}`;
}

/** Recognises organization API keys (interface, Authentication: credential kinds). */
export function apiKeyRecogniser(services: Services, brand: string): Recogniser {
  const shape = new RegExp(
    `^${brand}k_(?:live|test)_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`,
  );
  const isKey = (token: string) => {
    const [, random = '', check = ''] = shape.exec(token) ?? [];
    return check !== '' && checkOf(random) === check;
  };
  const findHolder = apiKeyHolders(hashApiKey);
  const admitted = admission(services);
  return (token) => {
    const holder = findHolder(services.store.db, token, () => isKey(token));
    return holder instanceof Promise ? holder.then(admitted) : admitted(holder);
  };
}

/** Makes callers of the holders of keys, one for each holder: most calls come with a key that is known. */
function admission(services: Services) {
  const { store, ports } = services;
  const touched = new Map<string, number>();
  const callers = new WeakMap<ApiKeyHolder, Caller>();
  const isTouched = ({ id }: ApiKeyHolder, now: number) => now - (touched.get(id) ?? 0) <= TOUCH_EVERY_MS;
  const meet = async (holder: ApiKeyHolder, now: number): Promise<Caller> => {
    if (!isTouched(holder, now)) {
      touched.set(holder.id, now);
      await touchApiKey(store.db, holder.id, new Date(now).toISOString());
    }
    const caller = await callerOf(services, holder);
    callers.set(holder, caller);
    return caller;
  };
  return (holder: ApiKeyHolder | undefined): Caller | null | Promise<Caller> => {
    const now = ports.clock.now();
    if (holder === undefined || isExpired(holder, now)) return null;
    const caller = callers.get(holder);
    return caller !== undefined && isTouched(holder, now) ? caller : meet(holder, now);
  };
}

function isExpired(holder: ApiKeyHolder, now: number): boolean {
  return holder.expires_at !== null && Date.parse(holder.expires_at) <= now;
}

function callerOf(services: Services, holder: ApiKeyHolder): Caller | Promise<Caller> {
  const caller: Caller = {
    kind: 'api_key',
    principal: `api_key:${holder.id}`,
    organizationId: holder.organization_id,
    permissions: new Set(fromJson(holder.permissions)),
    accounts: { buyer: holder.buyer_id, seller: holder.seller_id },
    advertiserIds: null,
    userId: null,
    tier: holder.tier,
    alpha: fromFlag(holder.alpha),
  };
  return holder.grants === 0 ? caller : narrowed(services, { caller, holder });
}

/** A grant narrows a key further; it never leads out of the account that the key is bound to. */
async function narrowed(
  services: Services,
  { caller, holder }: { caller: Caller; holder: ApiKeyHolder },
): Promise<Caller> {
  const reach = await findReach(services.store.db, caller.organizationId, caller.principal);
  const open = reach.filter(({ id }) => holder.customer_id === null || id === holder.customer_id);
  const buyer = open.find(({ role }) => role === 'BUYER');
  const seller = open.find(({ role }) => role === 'SELLER');
  return {
    ...caller,
    accounts: { buyer: buyer?.id ?? null, seller: seller?.id ?? null },
    advertiserIds: buyer?.advertiserIds ?? null,
  };
}
