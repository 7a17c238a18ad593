import {
  findAgentRefreshToken,
  insertAgentRefreshToken,
  useAgentRefreshToken,
} from '../../../store/unscoped/agent-refresh-tokens.ts';
import type { AgentRegistrationRow } from '../../../store/unscoped/agent-registrations.ts';
import { findAgentRegistration, prolongAgent } from '../../../store/unscoped/agent-registrations.ts';
import { fromNow, nowOf, SECOND_MS } from '../../core/moments.ts';
import { toldEnded } from '../organizations/ended-subscriptions.ts';
import { type AgentVisitor, aboutAgent, actorAt, type Claimer, type Desk, personBehind } from './desk.ts';
import { endIn } from './ending.ts';
import { agentStands } from './living-agents.ts';
import { AgentRefusal } from './refusals.ts';
import { together } from './registering.ts';
import { postClaimScopes, preClaimScopes } from './scopes.ts';

/** What an agent shows for access tokens, as often as it likes until it expires. */
export interface Identity {
  readonly assertion: string;
  readonly expiresAt: string;
}

/** A claimed agent's: the refresh token is told this once, and used once. */
export interface ClaimedIdentity extends Identity {
  readonly refreshToken: { readonly value: string; readonly expiresAt: string };
}

type Who = Pick<AgentRegistrationRow, 'id' | 'expires_at' | 'claimed_at'>;

/** Signs who an agent is. It says whether the agent is claimed, so that one of before opens nothing afterwards. */
export async function identityOf(desk: Desk, { id, expires_at, claimed_at }: Who): Promise<Identity> {
  const { services, lifetimes } = desk;
  const seconds = secondsFor(desk, expires_at, lifetimes.assertion);
  const assertion = await services.ports.tokens.sign({
    type: 'agent-assertion+jwt',
    audience: services.publicUrl(),
    subject: id,
    seconds,
    claims: { claimed: claimed_at !== null },
  });
  return { assertion, expiresAt: fromNow(desk.services.ports.clock, seconds * SECOND_MS) };
}

/** Nothing that an agent holds outlives its registration. */
function secondsFor({ services }: Desk, end: string, wanted: number): number {
  const left = Math.floor((Date.parse(end) - services.ports.clock.now()) / 1_000);
  return Math.max(0, Math.min(wanted, left));
}

/** Stores a new refresh token for a claimed agent. */
export async function newRefreshToken(desk: Desk, id: string): Promise<ClaimedIdentity['refreshToken']> {
  const { store, ports } = desk.services;
  const value = desk.secrets.token('agr');
  const expiresAt = fromNow(desk.services.ports.clock, desk.lifetimes.refresh * SECOND_MS);
  await insertAgentRefreshToken(store.db, {
    hash: ports.digest(value),
    registration_id: id,
    created_at: nowOf(ports.clock),
    expires_at: expiresAt,
  });
  return { value, expiresAt };
}

/**
 * Takes a refresh token for the next assertion and the next refresh token. One that was used before is in more
 * hands than its agent's, and nobody can tell which: it ends the registration.
 */
export async function refreshIdentity(
  desk: Desk,
  visitor: AgentVisitor,
  value: string,
): Promise<ClaimedIdentity & { readonly id: string }> {
  const { store, ports } = desk.services;
  const hash = ports.digest(value);
  const now = nowOf(ports.clock);
  const next = await together(desk, async (inside, tx) => {
    const id = await useAgentRefreshToken(tx, { hash, now });
    if (id === undefined) return undefined;
    // Thrown, so that the token stays good for when that is over.
    if (!(await agentStands(tx, { id, now }))) throw stopped();
    const agent = await findAgentRegistration(tx, id);
    if (agent === undefined) throw spent();
    const by = { visitor, agent, person: await personBehind(tx, agent), isAgent: true };
    const refreshToken = await actorAt(inside, RENEW, by).write(
      async () => {
        const made = await newRefreshToken(inside, id);
        if (!(await prolongAgent(tx, { id, now, expiresAt: made.expiresAt }))) throw spent();
        return made;
      },
      await aboutAgent(tx, agent),
    );
    return { id, refreshToken };
  });
  if (next === undefined) {
    const known = await findAgentRefreshToken(store.db, hash);
    if (known !== undefined && known.used_at !== null) {
      await endAgent(desk, { visitor, id: known.registration_id, why: 'a refresh token of it came twice' });
    }
    throw spent();
  }
  const registration = { id: next.id, expires_at: next.refreshToken.expiresAt, claimed_at: now };
  return { ...next, ...(await identityOf(desk, registration)) };
}

const RENEW = { tool: 'agent_refresh', title: 'Renew the identity of an agent', action: 'UPDATE' } as const;

function spent(): AgentRefusal {
  return new AgentRefusal(
    'invalid_refresh_token',
    'This refresh token is unknown, expired or was used before. Register again and have the user claim you.',
  );
}

function stopped(): AgentRefusal {
  return new AgentRefusal(
    'invalid_refresh_token',
    'Whom you act for is suspended or has left the organization. Ask your user; the token can be used when that is over.',
  );
}

interface Ending {
  readonly visitor: AgentVisitor;
  readonly id: string;
  /** The person, where one ends it. */
  readonly person?: Claimer;
  /** Why nobody who is known ends it; without it, it is the agent, or the person. */
  readonly why?: string;
}

/** Ends an agent with all it holds, at once. */
export async function endAgent(desk: Desk, { visitor, id, person, why }: Ending): Promise<void> {
  const { db } = desk.services.store;
  const agent = await findAgentRegistration(db, id);
  if (agent === undefined) return;
  const title = why === undefined ? 'End an agent' : `End an agent: ${why}`;
  const deed = { tool: 'agent_revoke', title, action: 'DELETE' } as const;
  const behind = await personBehind(db, agent);
  const itself = why === undefined ? { person: behind, isAgent: true } : {};
  const actor = actorAt(desk, deed, { visitor, agent, ...(person === undefined ? itself : { person }) });
  const about = await aboutAgent(db, agent);
  const actedFor = behind && { actedFor: { from: behind.email, to: null } };
  await actor.write(
    (tx) => endIn(tx, { id, now: actor.now }),
    (ended) => {
      if (ended === undefined) return undefined;
      // Of one that nobody claimed and that had none there is nothing to tell.
      const changes = { ...actedFor, ...toldEnded(ended) };
      return Object.keys(changes).length === 0 ? about : { ...about, changes };
    },
  );
}

/** An access token, as the token endpoint answers with it. */
export interface AgentAccess {
  readonly token: string;
  readonly seconds: number;
  readonly scope: string;
}

/** Gives an access token for an assertion, and for these resources. The assertion stays good until it expires. */
export async function exchangeAssertion(
  desk: Desk,
  { assertion, audience }: { readonly assertion: string; readonly audience: string | string[] },
): Promise<AgentAccess> {
  const { store, ports, publicUrl } = desk.services;
  const claims = await ports.tokens.verify(assertion, 'agent-assertion+jwt');
  const agent = claims?.aud === publicUrl() ? await findAgentRegistration(store.db, claims.sub) : undefined;
  const isClaimed = agent?.claimed_at !== null;
  const isGood = claims !== null && agent !== undefined && claims['claimed'] === isClaimed;
  if (!isGood || !(await agentStands(store.db, { id: agent.id, now: nowOf(ports.clock) }))) {
    throw new AgentRefusal(
      'invalid_grant',
      'This assertion is unknown, expired, of before the claim, or its registration was ended or is suspended.',
    );
  }
  const seconds = secondsFor(desk, agent.expires_at, desk.lifetimes.token);
  const scope = (isClaimed ? postClaimScopes : preClaimScopes).join(' ');
  const token = await ports.tokens.sign({
    type: 'at+jwt',
    audience,
    subject: agent.id,
    seconds,
    claims: { kind: 'agent', agent_reg: agent.id, claimed: isClaimed, scope },
  });
  return { token, seconds, scope };
}
