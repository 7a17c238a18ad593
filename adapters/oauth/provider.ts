import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterPayload, Configuration, JWTStructured, default as Provider } from 'oidc-provider';
import { fromFlag } from '../../store/engine/codec.ts';
import { findLiveGrant } from '../../store/unscoped/oauth.ts';
import type { NewArtifact } from '../../store/unscoped/oauth-artifacts.ts';
import { findMember } from '../../store/unscoped/people.ts';
import { findUser } from '../../store/unscoped/users.ts';
import type { Services } from '../../tools/core/context.ts';
import { oauthPaths } from '../../tools/core/root-addresses.ts';
import { DEFAULT_RESOURCE, resourceIn } from '../auth/audiences.ts';
import { isPermission, SCOPES } from '../auth/scopes.ts';
import type { SigningPair } from '../auth/signing-pairs.ts';
import type { App } from '../http/app.ts';
import { answeredByLibrary } from './answered-by-library.ts';
import { bindToBrowser } from './browser-bond.ts';
import { renderFault } from './fault-page.ts';
import { storageFor } from './storage.ts';

/** The addresses that the library answers. */
const ROUTES = { authorization: oauthPaths.authorize, token: oauthPaths.token } as const;

/** What the library does for us: requests for authorization, codes, refresh tokens. */
export interface AuthorizationServer {
  /** Answers by the library. */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** The library itself, for what waits for a person. */
  current(): Promise<Provider>;
}

interface Parts {
  readonly app: App;
  endGrant(id: string): Promise<void>;
  saveRefreshToken(saved: {
    readonly artifact: NewArtifact;
    readonly payload: AdapterPayload;
    /** The request that it answers. */
    readonly by: IncomingMessage | undefined;
  }): Promise<void>;
}

const INTERACTION_SECONDS = 3_600;

/** Loaded with the first request; made anew when the keys are others than before. */
export function createAuthorizationServer(parts: Parts): AuthorizationServer {
  let made: { readonly kid: string; readonly provider: Promise<Provider> } | undefined;
  const current = async () => {
    const pair = await parts.app.keyring.signing();
    if (made?.kid !== pair.kid) made = { kid: pair.kid, provider: makeProvider(parts, pair) };
    return made.provider;
  };
  return {
    current,
    answer: async (req, res) => answeredByLibrary(await current(), req, res),
  };
}

async function makeProvider(parts: Parts, pair: SigningPair): Promise<Provider> {
  const { Provider: Made, errors, interactionPolicy } = await quietly(() => import('oidc-provider'));
  const { services, config } = parts.app;
  const storage = storageFor({
    services,
    endGrant: parts.endGrant,
    saveRefreshToken: (artifact, payload) => parts.saveRefreshToken({ artifact, payload, by: Made.ctx?.req }),
    usedUp: () => new errors.InvalidGrant('it was used already'),
  });
  const provider = new Made(services.publicUrl(), {
    ...configuration(parts.app, pair),
    adapter: storage,
    features: features(parts.app, () => new errors.InvalidTarget('no address of this service')),
    interactions: {
      policy: interactionPolicy.base(),
      url: async ({ req, res }, { uid }) => {
        await bindToBrowser({ app: parts.app, req, res }, uid, INTERACTION_SECONDS);
        return `${services.publicUrl()}${oauthPaths.interaction}/${uid}`;
      },
    },
  });
  // It takes a request to be sent to where the headers say; these are ours by then (`atPublicUrl`).
  provider.proxy = true;
  if (config.loopbackAnyPort === 'off') {
    provider.Client.prototype.redirectUriAllowed = function redirectUriAllowed(uri: string) {
      return (this.redirectUris ?? []).includes(uri);
    };
  }
  provider.on('server_error', (_ctx, err) => services.log.error({ err }, 'authorization failed'));
  withoutSessionCookie(provider);
  return provider;
}

/** The library warns of a version of Node that it runs on all the same: nobody can do anything about it. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}

/** Its own session is remembered nowhere, so that a browser need not keep it either. */
function withoutSessionCookie(provider: Provider): void {
  const name = provider.cookieName('session');
  provider.use(async (ctx, next) => {
    await next();
    const cookies = [ctx.response.get('set-cookie') ?? []].flat();
    const kept = cookies.filter((cookie) => cookie !== '' && !cookie.startsWith(`${name}=`));
    if (kept.length === 0) ctx.remove('set-cookie');
    else ctx.set('set-cookie', kept);
  });
}

function configuration(app: App, pair: SigningPair): Configuration {
  const { services, config } = app;
  const { publicUrl } = services;
  const isSecure = publicUrl().startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: isSecure, signed: false } as const;
  const prefix = `${isSecure ? '__Secure-' : ''}${config.brand}`;
  return {
    jwks: { keys: [{ ...pair.privateJwk, alg: 'ES256', use: 'sig' }] },
    routes: ROUTES,
    scopes: [...SCOPES, 'offline_access'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      application_type: 'native',
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    clientBasedCORS: () => true,
    cookies: {
      names: {
        session: `${prefix}_oauth`,
        interaction: `${prefix}_interaction`,
        resume: `${prefix}_resume`,
      },
      long: cookie,
      short: cookie,
    },
    ttl: {
      AccessToken: config.accessTokenSeconds,
      AuthorizationCode: config.authorizationCodeSeconds,
      IdToken: config.accessTokenSeconds,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: config.refreshTokenSeconds,
      Session: INTERACTION_SECONDS,
      Grant: config.refreshTokenSeconds,
    },
    findAccount: (_ctx, id, token) => findAccount(services, id, token),
    extraTokenClaims: (_ctx, token) => extraClaims(services, token),
    formats: { customizers: { jwt: (_ctx, token, jwt) => ownTimes(services, token, jwt) } },
    renderError: (ctx, out) => renderFault(app, ctx, out),
    // A document by which a client is known comes through the guard of all that is fetched from others.
    fetch: (input) => app.providerFetch(input instanceof Request ? input.url : input),
  };
}

function features({ services, config }: App, invalidTarget: () => Error): Configuration['features'] {
  const { publicUrl } = services;
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // These are answered by us.
    registration: { enabled: false },
    revocation: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => `${publicUrl()}${DEFAULT_RESOURCE}`,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, given) => {
        const audience = resourceIn(given, publicUrl());
        if (audience === undefined) throw invalidTarget();
        return {
          audience,
          scope: SCOPES.join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: config.accessTokenSeconds,
          jwt: { sign: { alg: 'ES256' } },
        };
      },
    },
  };
}

/** A person, as long as there is one: what is renewed for who has left the organization is refused. */
async function findAccount({ store }: Services, id: string, token: object | undefined) {
  const user = await findUser(store.db, Number(id));
  if (user === undefined || user.suspended_at !== null) return undefined;
  const grantId = token !== undefined && 'grantId' in token ? String(token.grantId) : undefined;
  if (grantId !== undefined) {
    const grant = await findLiveGrant(store.db, grantId);
    if (grant === undefined) return undefined;
    const member = await findMember(store.db, { userId: user.id, organizationId: grant.organization_id });
    if (member === undefined) return undefined;
  }
  return {
    accountId: id,
    claims: async () => ({
      sub: id,
      name: user.name,
      email: user.email,
      email_verified: user.email_verified_at !== null,
    }),
  };
}

interface IssuedToken {
  readonly kind: string;
  readonly grantId?: string | undefined;
  scope?: string | undefined;
}

/** What our tokens say beside what every token says. Who may only read is told so in the scope as well. */
async function extraClaims({ store }: Services, token: IssuedToken) {
  const grant = token.grantId === undefined ? undefined : await findLiveGrant(store.db, token.grantId);
  if (grant === undefined) return {};
  if (fromFlag(grant.read_only)) token.scope = reading(token.scope);
  return { kind: 'user', org_id: grant.organization_id, gid: grant.id, read_only: fromFlag(grant.read_only) };
}

function reading(scope = ''): string {
  const others = scope.split(' ').filter((name) => name !== '' && !isPermission(name));
  return [...others, 'buyer:read'].join(' ');
}

/** The library reads the clock of the machine; its tokens begin and end by ours. */
function ownTimes(
  { ports }: Services,
  { scope }: { readonly scope?: string | undefined },
  { payload }: JWTStructured,
): void {
  const now = Math.floor(ports.clock.now() / 1_000);
  const seconds = Number(payload['exp']) - Number(payload['iat']);
  Object.assign(payload, { iat: now, exp: now + seconds, scope });
}
