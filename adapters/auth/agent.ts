import { type Agent, findAgent } from '../../store/unscoped/agents.ts';
import type { Confinement } from '../../tools/core/access.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import type { TokenClaims } from '../../tools/core/ports.ts';
import { agentPrincipal } from '../../tools/domain/agents/desk.ts';
import { postClaimScopes } from '../../tools/domain/agents/scopes.ts';
import type { TokenKind } from './access-token.ts';
import { KeptCallers } from './kept-callers.ts';
import { callerForPerson } from './member.ts';

type Recognised = Caller | null | Promise<Caller | null>;

/** Every side of an anonymous agent is sandbox. */
const SANDBOX: Confinement = { buyer: ['sandbox'], seller: ['sandbox'], organization: ['sandbox'] };

/**
 * Recognises the access tokens of agents that registered themselves. Whether the agent is claimed, revoked or over
 * is looked up with each request; a token of before the claim stands for nobody after it.
 */
export function agentTokens(services: Services): TokenKind {
  return (claims) => {
    const found = findAgent(services.store.db, claims.sub);
    const meet = (agent: Agent | undefined) =>
      agent === undefined ? null : callerOf(services, claims, agent);
    return found instanceof Promise ? found.then(meet) : meet(found);
  };
}

function callerOf(services: Services, claims: TokenClaims, agent: Agent): Recognised {
  const endsAt = Math.min(claims.exp * 1_000, Date.parse(agent.expires_at));
  if (endsAt <= services.ports.clock.now()) return null;
  if (claims['claimed'] !== (agent.claimed_at !== null)) return null;
  return agent.claimed_at === null
    ? unclaimed(claims, agent, endsAt)
    : claimed(services, { claims, agent, endsAt });
}

interface Claimed {
  readonly claims: TokenClaims;
  readonly agent: Agent;
  readonly endsAt: number;
}

/** Acts for the person who claimed it: as that person may at this moment, and no further than any agent may. */
function claimed(services: Services, { claims, agent, endsAt }: Claimed): Recognised {
  const { user_id: userId, claimed_organization_id: organizationId } = agent;
  if (userId === null || organizationId === null) return null;
  return callerForPerson(services, {
    kind: 'agent',
    userId,
    organizationId,
    principal: agentPrincipal(agent.id),
    audience: [claims.aud].flat(),
    given: postClaimScopes,
    endsAt,
  });
}

/** One for each agent that was found, for each of its tokens. */
const known = new KeptCallers<Agent>();

/** Reads the sandbox of its own: the gates open it two addresses, and no more. */
function unclaimed(claims: TokenClaims, agent: Agent, endsAt: number): Caller | null {
  if (agent.sandbox_organization_id === null) return null;
  const last = known.get(agent, claims.jti);
  if (last !== undefined) return last;
  const caller: Caller = {
    kind: 'anonymous_agent',
    principal: agentPrincipal(agent.id),
    name: 'an agent that nobody has claimed',
    organizationId: agent.sandbox_organization_id,
    permissions: new Set(['buyer:read']),
    accounts: { buyer: agent.sandbox_buyer_id, seller: null },
    confined: SANDBOX,
    advertiserIds: null,
    audience: [claims.aud].flat(),
    userId: null,
    tier: 'basic',
    alpha: false,
    endsAt,
  };
  return known.keep(agent, claims.jti, caller);
}
