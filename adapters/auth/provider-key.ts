import { findOpened } from '../../store/unscoped/credentials.ts';
import { findUnrevoked } from '../../store/unscoped/oauth.ts';
import { keep } from '../../tools/core/bounded-map.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import type { OrganizationKey } from '../../tools/domain/credentials/port.ts';
import { holderOfKey } from '../../tools/domain/organizations/holders.ts';
import { callerFor } from './caller.ts';
import type { Bearer, Recogniser } from './identify.ts';

const JWT = /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/;
const REMEMBERED_MAX = 10_000;

interface Word {
  readonly until: number;
  readonly key: Promise<OrganizationKey | null>;
}

/**
 * Recognises the keys that a service elsewhere keeps, where one does. Its word is believed for a moment, no as
 * well as yes, so that neither calls nor guesses become a call to it each; who the organization is, and whether
 * it is suspended, is asked here with every call.
 */
export function providerRecognisers(
  services: Services,
  { brand, cacheMs }: { readonly brand: string; readonly cacheMs: number },
): Recogniser[] {
  const { store, ports } = services;
  const { credentials, clock } = ports;
  if (credentials.validate === undefined) return [];
  const isOurs = ownShapes(brand);
  const validate = credentials.validate.bind(credentials);
  const known = new Map<string, Word>();
  const ask = ({ token: value, hash }: Bearer): Word => {
    // What is remembered is a hash: the value goes with its connection.
    const now = clock.now();
    const last = known.get(hash);
    if (last !== undefined && last.until > now) return last;
    const word = { until: now + cacheMs, key: validate(value) };
    keep(known, { key: hash, value: word, max: REMEMBERED_MAX });
    // Who could not be asked has said nothing.
    word.key.catch(() => known.delete(hash));
    return word;
  };
  const callerOf = async (key: OrganizationKey, believedUntil: number): Promise<Caller | null> => {
    const principal = holderOfKey(key.id);
    // Ended through us meanwhile, in whatever process: its word is of before.
    if ((await findUnrevoked(store.db, principal)) === undefined) return null;
    const opened = await findOpened(store.db, { id: key.organizationId, holder: principal });
    if (opened === undefined) return null;
    const credential = {
      kind: 'api_key' as const,
      principal,
      name: key.name,
      userId: null,
      permissions: new Set(key.permissions),
      keptElsewhere: { createdByUserId: key.createdByUserId },
      // What stays open with it is asked about again then: nobody tells us that the service revoked it.
      believedUntil,
      ...(key.expiresAt === null ? {} : { endsAt: endOf(key) }),
    };
    return callerFor(services, credential, { opened });
  };
  return [
    async (shown) => {
      if (isOurs(shown.token)) return null;
      const word = ask(shown);
      const key = await word.key;
      return key === null || endOf(key) <= clock.now() ? null : callerOf(key, word.until);
    },
  ];
}

/**
 * Whether a value looks like what is made here, which is nobody else's business: our keys, secrets and legacy keys,
 * service tokens, what agents hold, and JWTs, by which every access token comes.
 */
function ownShapes(brand: string): (value: string) => boolean {
  const prefixes = new RegExp(`^(?:${brand}[ks]?_|svc_|agr_|clm_|att_)`);
  return (value) => prefixes.test(value) || JWT.test(value);
}

function endOf({ expiresAt }: OrganizationKey): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}
