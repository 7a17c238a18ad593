import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { refusalFor } from '../../tools/core/boundary.ts';
import { completeClaim } from '../../tools/domain/agents/claiming.ts';
import type { AgentVisitor, Desk } from '../../tools/domain/agents/desk.ts';
import { identityOf, refreshIdentity } from '../../tools/domain/agents/identities.ts';
import { AgentRefusal } from '../../tools/domain/agents/refusals.ts';
import {
  type Attempt,
  registerAnonymous,
  registerForClaim,
  startClaim,
} from '../../tools/domain/agents/registering.ts';
import { postClaimScopes, preClaimScopes } from '../../tools/domain/agents/scopes.ts';
import type { App } from '../http/app.ts';
import { readJson } from '../http/body.ts';
import { sendJson } from '../http/envelope.ts';
import { networkOf } from '../http/rate-limit.ts';
import { Visit } from '../http/visit.ts';
import { agentBodies, readAgentBody, readLoginHint } from './bodies.ts';
import { agentPaths, deskOf, visitorAt } from './reception.ts';

type Json = Readonly<Record<string, unknown>>;

/** What one endpoint does with a body that it has read. */
type Answer = (request: Request) => Promise<Json>;

interface Request {
  readonly app: App;
  readonly desk: Desk;
  readonly visit: Visit;
  readonly visitor: AgentVisitor;
  readonly body: unknown;
}

/** The endpoints that agents call without a credential. Bodies and answers are plain JSON, in no envelope. */
export function agentEndpoints(app: App) {
  const desk = deskOf(app);
  const at = (path: string, answer: Answer) => ({
    path,
    answer: (req: IncomingMessage, res: ServerResponse) => serve({ app, desk, path, answer }, req, res),
  });
  return [
    at(agentPaths.identity, register),
    at(agentPaths.claim, claimAgain),
    at(agentPaths.complete, complete),
  ];
}

interface Endpoint {
  readonly app: App;
  readonly desk: Desk;
  readonly path: string;
  readonly answer: Answer;
}

async function serve(endpoint: Endpoint, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { app, desk, path, answer } = endpoint;
  const visit = new Visit(req, res, app.trustedProxies);
  visit.target = `${req.method} ${path}`;
  try {
    if (req.method !== 'POST') throw new OtherMethod();
    const body = await readJson(req, app.bodyLimits);
    const given = await answer({ app, desk, visit, visitor: visitorAt(app, req), body });
    sendJson(visit, 200, JSON.stringify(given));
  } catch (thrown) {
    refuse(visit, thrown, app);
  } finally {
    visit.log(app.services.log, res.statusCode);
  }
}

class OtherMethod extends Error {}

/** Flat, as agents that register read it: `error` for the program, `message` for the model. */
function refuse(visit: Visit, thrown: unknown, app: App): void {
  const send = (status: number, error: string, message: string) =>
    sendJson(visit, status, JSON.stringify({ error, message }));
  if (thrown instanceof OtherMethod) {
    visit.addHeader('Allow', 'POST');
    send(405, 'invalid_request', 'This address takes POST.');
    return;
  }
  if (thrown instanceof AgentRefusal) {
    if (thrown.status === 401) {
      const { metadata } = app.tokenPlaces.challenge();
      visit.addHeader('WWW-Authenticate', `Bearer resource_metadata="${metadata}"`);
    }
    if (thrown.retryAfter !== undefined) visit.addHeader('Retry-After', String(thrown.retryAfter));
    send(thrown.status, thrown.error, thrown.message);
    return;
  }
  const known = refusalFor(thrown, app.services.log, { requestId: visit.requestId, doing: 'agent request' });
  if (known.retryAfter !== undefined) visit.addHeader('Retry-After', String(known.retryAfter));
  const { message, suggestion } = known;
  const words = suggestion === undefined ? message : `${message} ${suggestion}`;
  send(known.status, known.status < 500 ? 'invalid_request' : 'temporarily_unavailable', words);
}

function count({ app, visit }: Request, what: 'anonymous' | 'others'): void {
  const network = networkOf(visit.ip, app.config.ipv6PrefixBits);
  const quota = app.limits.agents.take(what, { ip: visit.ip, network });
  visit.quota = quota;
  if (!quota.isOver) return;
  throw new AgentRefusal(
    'rate_limited',
    `Too many requests. Come again in ${quota.resetSeconds} s.`,
    quota.resetSeconds,
  );
}

function register(request: Request): Promise<Json> {
  const { type } = readAgentBody(agentBodies.registration, request.body);
  count(request, type === 'anonymous' ? 'anonymous' : 'others');
  return registrations[type](request);
}

const registrations: Readonly<Record<z.output<typeof agentBodies.registration>['type'], Answer>> = {
  anonymous: async ({ app, desk, visitor }) => {
    if (!app.config.agentRegistration.includes('anonymous')) {
      throw new AgentRefusal(
        'anonymous_not_enabled',
        'This service takes no anonymous agents. Ask the user for a credential, or see /auth.md for another way.',
      );
    }
    const made = await registerAnonymous(desk, visitor);
    const identity = await identityOf(desk, { id: made.id, expires_at: made.expiresAt, claimed_at: null });
    return {
      id: made.id,
      type: 'anonymous',
      identity: { assertion: identity.assertion, expires_at: identity.expiresAt },
      scopes: { pre_claim: preClaimScopes, post_claim: postClaimScopes },
      claim: { token: made.claimToken, expires_at: made.expiresAt, url: urlOf(app, agentPaths.claim) },
    };
  },
  service_auth: async ({ app, desk, visitor, body }) => {
    requireServiceAuth(app);
    const made = await registerForClaim(desk, visitor, readLoginHint(body));
    return {
      id: made.id,
      type: 'service_auth',
      scopes: { post_claim: postClaimScopes },
      claim: {
        token: made.claimToken,
        expires_at: made.expiresAt,
        url: urlOf(app, agentPaths.claim),
        attempt: attemptOf(app, made.attempt),
      },
    };
  },
  refresh: async ({ desk, visitor, body }) => {
    const { refresh_token } = readAgentBody(agentBodies.refreshing, body);
    const made = await refreshIdentity(desk, visitor, refresh_token);
    return { id: made.id, type: 'refresh', identity: claimedIdentity(made) };
  },
};

async function claimAgain(request: Request): Promise<Json> {
  const { app, desk, visitor, body } = request;
  count(request, 'others');
  requireServiceAuth(app);
  const { claim_token } = readAgentBody(agentBodies.claiming, body);
  const loginHint = readLoginHint(body);
  const { id, attempt } = await startClaim(desk, visitor, { claimToken: claim_token, loginHint });
  return { id, type: 'service_auth', attempt: attemptOf(app, attempt) };
}

async function complete(request: Request): Promise<Json> {
  const { desk, visitor, body } = request;
  count(request, 'others');
  const { claim_token, user_code } = readAgentBody(agentBodies.completing, body);
  const userCode = user_code.replaceAll(/[\s-]/g, '');
  const made = await completeClaim(desk, visitor, { claimToken: claim_token, userCode });
  return { id: made.id, status: 'claimed', identity: claimedIdentity(made) };
}

function requireServiceAuth({ config }: App): void {
  if (config.agentRegistration.includes('service_auth')) return;
  throw new AgentRefusal(
    'service_auth_not_enabled',
    'This service has no claims by its users. Ask the user for a credential.',
  );
}

function urlOf({ services }: App, path: string): string {
  return `${services.publicUrl()}${path}`;
}

function attemptOf(app: App, { token, expiresAt }: Attempt): Json {
  return {
    verification_uri: `${urlOf(app, agentPaths.page)}?claim_attempt_token=${token}`,
    expires_at: expiresAt,
  };
}

function claimedIdentity(made: Awaited<ReturnType<typeof refreshIdentity>>): Json {
  return {
    assertion: made.assertion,
    expires_at: made.expiresAt,
    refresh_token: { value: made.refreshToken.value, expires_at: made.refreshToken.expiresAt },
  };
}
