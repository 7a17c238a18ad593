import { LRUCache } from 'lru-cache';
import type { Permission } from '../../store/api-keys.ts';
import { fromFlag, fromJson } from '../../store/engine/codec.ts';
import type { Db } from '../../store/engine/db.ts';
import { stateOf } from '../../store/engine/remembered.ts';
import type { OauthGrantRow } from '../../store/oauth-grants.ts';
import { findLiveGrant, findUnrevoked } from '../../store/unscoped/oauth.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import type { TokenClaims } from '../../tools/core/ports.ts';
import type { Recogniser } from './identify.ts';
import { callerForPerson, type ForPerson } from './member.ts';
import { givenBy, scopesIn } from './scopes.ts';

/** Checked tokens that are kept: a signature holds for as long as its token. */
const CHECKED_MAX = 5_000;
const READING: readonly Permission[] = ['buyer:read'];
/** As every JSON object does in base64url. */
const JWT_BEGINS = 'eyJ';
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** Characters of its signature by which a checked token is looked up. */
const END = 40;

interface Checked {
  readonly token: string;
  readonly claims: TokenClaims;
}

function endOf(token: string): string {
  return token.slice(-END);
}

/** What a token of one kind stands for at this moment; null where that has ended. */
export type TokenKind = (claims: TokenClaims) => Caller | null | Promise<Caller | null>;

/**
 * Recognises the access tokens of this installation by what they say they are: `user`, `m2m`, `agent`. A signature
 * is checked once; whether what stands behind it goes on is looked up with each request, so that a change acts at
 * once.
 */
export function accessTokenRecogniser(
  services: Services,
  kinds: Readonly<Record<string, TokenKind>>,
): Recogniser {
  const { tokens, clock } = services.ports;
  /** By their ends: looking up the whole of so long a text would cost more than all else that is asked of it. */
  const checked = new LRUCache<string, Checked>({ max: CHECKED_MAX });
  const meet = (token: string, claims: TokenClaims) => {
    if (claims.exp * 1_000 <= clock.now()) {
      checked.delete(endOf(token));
      return null;
    }
    const { kind } = claims;
    return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? (kinds[kind]?.(claims) ?? null) : null;
  };
  return ({ token }) => {
    if (!token.startsWith(JWT_BEGINS)) return null;
    const known = checked.get(endOf(token));
    if (known?.token === token) return meet(token, known.claims);
    if (!JWT.test(token)) return null;
    return tokens.verify(token, 'at+jwt').then((claims) => {
      if (claims === null) return null;
      checked.set(endOf(token), { token, claims });
      return meet(token, claims);
    });
  };
}

/** The same for kinds of which single tokens can be ended: one that was is refused from then on. */
export function unlessRevoked({ store }: Services, kind: TokenKind): TokenKind {
  return (claims) => {
    const found = findUnrevoked(store.db, claims.jti);
    const meet = (live: object | undefined) => (live === undefined ? null : kind(claims));
    return found instanceof Promise ? found.then(meet) : meet(found);
  };
}

/** Tokens that people gave to programs: they live as long as what was given does, and the person belongs there. */
export function userTokens(services: Services): TokenKind {
  const { db } = services.store;
  return unchanged(db, callerOfUser(services));
}

/** Asks again only once anything was committed, where the database tells. */
function unchanged(db: Db, kind: TokenKind): TokenKind {
  const known = new WeakMap<TokenClaims, { readonly state: number; readonly caller: Caller }>();
  return (claims) => {
    const state = stateOf(db);
    const last = known.get(claims);
    if (last !== undefined && last.state === state) return last.caller;
    const keep = (caller: Caller | null) => {
      // What was found may be of a later state: that is none the worse, and found again in it.
      if (caller !== null && state !== undefined) known.set(claims, { state, caller });
      return caller;
    };
    const caller = kind(claims);
    return caller instanceof Promise ? caller.then(keep) : keep(caller);
  };
}

function callerOfUser(services: Services): TokenKind {
  const { db } = services.store;
  const callerOf = (claims: TokenClaims, grant: OauthGrantRow) => {
    const person = personOf(claims, grant);
    return person === null ? null : callerForPerson(services, person);
  };
  return (claims) => {
    const found = findLiveGrant(db, String(claims['gid']));
    const meet = (grant: OauthGrantRow | undefined) => (grant === undefined ? null : callerOf(claims, grant));
    return found instanceof Promise ? found.then(meet) : meet(found);
  };
}

function personOf(claims: TokenClaims, grant: OauthGrantRow): ForPerson | null {
  const isOfGrant = claims['client_id'] === grant.client_id && claims['org_id'] === grant.organization_id;
  if (!isOfGrant || claims.sub !== String(grant.user_id)) return null;
  const given = fromFlag(grant.read_only) ? READING : givenTo(claims, grant);
  return {
    kind: 'user',
    userId: grant.user_id,
    organizationId: grant.organization_id,
    principal: `oauth_grant:${grant.id}`,
    audience: [claims.aud].flat(),
    oauthGrantId: grant.id,
    ...(given === undefined ? {} : { given }),
    endsAt: claims.exp * 1_000,
  };
}

/** A program may ask for fewer scopes than it was given: without those that narrow it, it is not wider but has none. */
function givenTo(claims: TokenClaims, { payload }: OauthGrantRow): readonly Permission[] | undefined {
  const given = givenBy(scopesIn(claims['scope']));
  if (given !== undefined) return given;
  const isNarrowed = givenBy(scopesIn(fromJson(payload).openid.scope)) !== undefined;
  return isNarrowed ? [] : undefined;
}
