import type { IncomingMessage, ServerResponse } from 'node:http';
import type { default as Provider } from 'oidc-provider';
import { refusalFor } from '../../tools/core/boundary.ts';
import { oauthPaths } from '../../tools/core/root-addresses.ts';
import { DEFAULT_SCOPE } from '../auth/scopes.ts';
import { cookieOf } from '../auth/session.ts';
import type { App } from '../http/app.ts';
import { refuseUnsafeFields } from '../http/body.ts';
import { clientIp } from '../http/client-ip.ts';
import { countSignIn } from '../http/counted.ts';
import { requestIdOf } from '../http/visit.ts';
import { baseOf, sendRefusal } from '../people/exchange.ts';
import { type Asked, OAuthError, sendOAuthError } from './answers.ts';
import { beganHere } from './browser-bond.ts';
import { answerInteraction, sendOver } from './consent.ts';
import { CAME_TWICE, endGrant, REVOKED, type Visited } from './end-grant.ts';
import { oauthHooks } from './hooks.ts';
import { wellKnown } from './metadata.ts';
import { type AuthorizationServer, createAuthorizationServer } from './provider.ts';
import { answerRegistration } from './register.ts';
import { saveRefreshToken } from './renewal.ts';
import { answerRevocation } from './revoke.ts';
import { answerToken, withPlainResources } from './token.ts';
import { answerUserinfo } from './userinfo.ts';

/** One address, and what answers there. */
export interface OAuthRoute {
  readonly method: 'get' | 'post';
  /** With `:name` for a part that varies. */
  readonly path: string;
  readonly answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

/** Every address of OAuth (interface, OAuth endpoints), answered in the shapes of its RFCs. */
export function oauthRoutes(app: App): readonly OAuthRoute[] {
  const server = createAuthorizationServer({
    app,
    endGrant: (id) => endGrant(app, { id, why: CAME_TWICE }),
    saveRefreshToken: ({ by: req, ...saved }) =>
      saveRefreshToken(app, { ...saved, from: req && visitOf({ app, req }) }),
  });
  return [...documents(app), ...forPrograms(app, server), ...forPeople(app, server)];
}

function documents(app: App): OAuthRoute[] {
  return [...wellKnown(app)].map(([path, document]) => ({
    method: 'get',
    path,
    answer: async (_req, res) => {
      const text = JSON.stringify(await document());
      const length = Buffer.byteLength(text);
      res.writeHead(200, { ...DOCUMENT_HEADERS, 'Content-Length': length }).end(text);
    },
  }));
}

const DOCUMENT_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'public, max-age=60',
};

function forPrograms(app: App, server: AuthorizationServer): OAuthRoute[] {
  const hooks = oauthHooks(app);
  const revoke = (asked: Asked) =>
    answerRevocation(asked, hooks, (id) => endGrant(app, { id, why: REVOKED, from: visitOf(asked) }));
  const token = (asked: Asked) => answerToken(asked, server, hooks);
  const userinfo = answering(app, 'auth', answerUserinfo);
  return [
    { method: 'post', path: oauthPaths.register, answer: answering(app, 'registration', answerRegistration) },
    { method: 'post', path: oauthPaths.token, answer: answering(app, 'auth', token) },
    { method: 'post', path: oauthPaths.revoke, answer: answering(app, 'auth', revoke) },
    { method: 'get', path: oauthPaths.userinfo, answer: userinfo },
    { method: 'post', path: oauthPaths.userinfo, answer: userinfo },
  ];
}

function forPeople(app: App, server: AuthorizationServer): OAuthRoute[] {
  const authorize = showing(app, (asked) => {
    asked.req.url = withDefaults(asked.req.url ?? '/', app.services.publicUrl());
    atPublicUrl(asked);
    return server.answer(asked.req, asked.res);
  });
  const resume = showing(app, async (asked) => {
    if (!(await isResumedHere(asked, await server.current()))) return sendOver(asked);
    atPublicUrl(asked);
    await server.answer(asked.req, asked.res);
  });
  const interaction = showing(app, async (asked) => {
    atPublicUrl(asked);
    await answerInteraction(asked, await server.current());
  });
  return [
    { method: 'get', path: oauthPaths.authorize, answer: authorize },
    { method: 'get', path: `${oauthPaths.authorize}/:uid`, answer: resume },
    { method: 'get', path: `${oauthPaths.interaction}/:uid`, answer: interaction },
    { method: 'post', path: `${oauthPaths.interaction}/:uid`, answer: interaction },
  ];
}

/** The library goes by its cookie alone, which another host of the domain may set: it is the address's, and ours. */
async function isResumedHere(asked: Asked, provider: Provider): Promise<boolean> {
  const { pathname } = new URL(asked.req.url ?? '/', 'http://ours.invalid');
  const uid = cookieOf(asked.req.headers.cookie, provider.cookieName('resume'));
  return uid !== undefined && pathname === `${oauthPaths.authorize}/${uid}` && beganHere(asked, uid);
}

function visitOf({ app, req }: Pick<Asked, 'app' | 'req'>): Visited {
  return { ip: clientIp(req, app.trustedProxies), requestId: requestIdOf(req) };
}

type Answer = (asked: Asked) => Promise<void>;

interface Guarded {
  readonly limit: 'auth' | 'registration';
  readonly answer: Answer;
  /** Makes of what was thrown how it is told to whoever asks. */
  readonly refusing: (asked: Asked, thrown: unknown) => () => void;
}

function guarding(app: App, { limit, answer, refusing }: Guarded) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const asked = { app, req, res };
    try {
      countSignIn(asked, limit);
      await answer(asked);
    } catch (thrown) {
      // What nobody foresaw is logged by this, whether it can still be told or not.
      const tell = refusing(asked, thrown);
      if (res.headersSent) res.destroy();
      else tell();
    }
  };
}

/** For programs: what was thrown is told in the shape of RFC 6749. */
function answering(app: App, limit: Guarded['limit'], answer: Answer) {
  const refusing: Guarded['refusing'] = (asked, thrown) => {
    const known = thrown instanceof OAuthError ? thrown : refusedFor(asked, thrown);
    return () => sendOAuthError(asked, known);
  };
  return guarding(app, { limit, answer, refusing });
}

/** For people: what was thrown is shown as a page. */
function showing(app: App, answer: Answer) {
  const refusing: Guarded['refusing'] = (asked, thrown) => {
    const known = refusedFor(asked, thrown);
    return () => sendRefusal(asked, known);
  };
  return guarding(app, { limit: 'auth', answer, refusing });
}

function refusedFor({ app, req }: Asked, thrown: unknown) {
  return refusalFor(thrown, app.services.log, { doing: 'authorization', requestId: requestIdOf(req) });
}

/** Clients that ask for nothing ask for what all of them may have, and one address is one address. */
function withDefaults(url: string, publicUrl: string): string {
  // A value may hold a question mark as it is (RFC 3986, section 3.4).
  const [, path, query = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  if (path !== oauthPaths.authorize) return url;
  const fields = withPlainResources(new URLSearchParams(query), publicUrl);
  refuseUnsafeFields(fields);
  if (!fields.has('scope')) fields.set('scope', DEFAULT_SCOPE);
  return `${path}?${fields}`;
}

/** By which whoever sends a request, or stands in front of us, says where it was sent to. */
const TOLD = ['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix', 'x-forwarded-proto'];

/**
 * The library makes addresses and cookies of where it takes a request to be sent: to where callers reach us, always.
 */
function atPublicUrl({ app, req }: Asked): void {
  const { protocol, host } = new URL(app.services.publicUrl());
  for (const name of TOLD) delete req.headers[name];
  req.headers['x-forwarded-proto'] = protocol.replace(':', '');
  req.headers['x-forwarded-host'] = host;
  Object.assign(req, { baseUrl: baseOf(app) });
}
