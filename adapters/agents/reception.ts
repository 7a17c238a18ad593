import type { IncomingMessage } from 'node:http';
import type { AgentLifetimes, AgentVisitor, Desk } from '../../tools/domain/agents/desk.ts';
import type { App } from '../http/app.ts';
import { clientIp } from '../http/client-ip.ts';
import { requestIdOf } from '../http/visit.ts';
import type { Config } from '../settings/config.ts';
import { agentSecrets } from './secrets.ts';

const USER_AGENT_MAX = 300;

/** Where agents register, as the addresses say it. */
export const agentPaths = {
  guide: '/auth.md',
  identity: '/agent/identity',
  claim: '/agent/identity/claim',
  complete: '/agent/identity/claim/complete',
  page: '/agent/claim',
  confirm: '/agent/claim/confirm',
} as const;

/** The grant by which assertions are exchanged (RFC 7523, section 2.1). */
export const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

function lifetimesOf(config: Config): AgentLifetimes {
  return {
    registration: config.agentRegistrationSeconds,
    claim: config.agentClaimSeconds,
    assertion: config.agentAssertionSeconds,
    token: config.agentTokenSeconds,
    refresh: config.agentRefreshSeconds,
  };
}

export function deskOf({ services, config }: Pick<App, 'services' | 'config'>): Desk {
  return { services, secrets: agentSecrets, lifetimes: lifetimesOf(config) };
}

export function visitorAt(
  { trustedProxies }: Pick<App, 'trustedProxies'>,
  req: IncomingMessage,
): AgentVisitor {
  return {
    ip: clientIp(req, trustedProxies),
    requestId: requestIdOf(req),
    userAgent: (req.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
  };
}
