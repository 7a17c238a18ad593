import { insertAdvertiser } from '../../../store/advertisers.ts';
import { type Db, storeWithin } from '../../../store/engine/db.ts';
import { makeScope } from '../../../store/engine/scope.ts';
import { insertClaimAttempt } from '../../../store/unscoped/agent-claim-attempts.ts';
import {
  type AgentRegistrationRow,
  findAgentByClaim,
  insertAgentRegistration,
  lockAgent,
} from '../../../store/unscoped/agent-registrations.ts';
import type { Actor } from '../../core/context.ts';
import { fromNow, nowOf, SECOND_MS } from '../../core/moments.ts';
import { createOrganization } from '../organizations/organizations.ts';
import { type AgentVisitor, aboutAgent, actorAt, agentName, type Desk } from './desk.ts';
import { AgentRefusal, alreadyClaimed, claimExpired } from './refusals.ts';

/** A registration as its agent hears of it: the claim token is told this once. */
export interface Registered {
  readonly id: string;
  readonly claimToken: string;
  readonly expiresAt: string;
}

/** An attempt at a claim: where the person goes, until when. */
export interface Attempt {
  readonly id: string;
  /** Leads to the attempt, and says nothing of the code. */
  readonly token: string;
  readonly expiresAt: string;
}

/** Receives an agent that has nothing: it reads a sandbox of its own, which ends with the registration. */
export async function registerAnonymous(desk: Desk, visitor: AgentVisitor): Promise<Registered> {
  const { row, registered } = newRegistration(desk, visitor, 'anonymous');
  await together(desk, async (inside, tx) => {
    const deed = { tool: 'agent_register', title: 'Register an agent', action: 'CREATE' } as const;
    const actor = actorAt(inside, deed, { visitor, agent: row });
    const organizationId = await makeSandbox(actor, tx);
    await insertAgentRegistration(tx, { ...row, sandbox_organization_id: organizationId });
  });
  return registered;
}

/** Receives an agent that a person is to claim: until then it holds nothing but the way to be claimed. */
export async function registerForClaim(
  desk: Desk,
  visitor: AgentVisitor,
  loginHint: string,
): Promise<Registered & { readonly attempt: Attempt }> {
  const { row, registered } = newRegistration(desk, visitor, 'service_auth');
  const deed = {
    tool: 'agent_register',
    title: 'Register an agent to be claimed',
    action: 'CREATE',
  } as const;
  return together(desk, async (inside, tx) => {
    const about = await aboutAgent(tx, row, { agent: { to: agentName(row) } });
    return actorAt(inside, deed, { visitor, agent: row }).write(async () => {
      await insertAgentRegistration(tx, row);
      return { ...registered, attempt: await newAttempt(inside, row.id, { visitor, loginHint }) };
    }, about);
  });
}

/** Begins an attempt anew, with which those before it are over. */
export async function startClaim(
  desk: Desk,
  visitor: AgentVisitor,
  { claimToken, loginHint }: { readonly claimToken: string; readonly loginHint: string },
): Promise<AgentRegistrationRow & { readonly attempt: Attempt }> {
  const { store, ports } = desk.services;
  const registration = await findAgentByClaim(store.db, ports.digest(claimToken));
  if (registration === undefined || registration.revoked_at !== null) {
    throw new AgentRefusal('invalid_claim_token', 'This claim token is unknown. Register again.');
  }
  refuseEnded(desk, registration);
  const title = 'Ask a person to claim an agent';
  const deed = { tool: 'agent_claim_start', title, action: 'UPDATE' } as const;
  const attempt = await together(desk, async (inside, tx) => {
    const about = await aboutAgent(tx, registration, { agent: { to: agentName(registration) } });
    const asked = { visitor, loginHint };
    const actor = actorAt(inside, deed, { visitor, agent: registration });
    return actor.write(async () => {
      // Of several that are begun at once each ends those before it: they come one after the other.
      await lockAgent(tx, registration.id);
      return newAttempt(inside, registration.id, asked);
    }, about);
  });
  return { ...registration, attempt };
}

/** A registration can be claimed once, and while it lives. */
export function refuseEnded({ services }: Desk, registration: AgentRegistrationRow): void {
  if (registration.claimed_at !== null) throw alreadyClaimed();
  if (registration.expires_at <= nowOf(services.ports.clock)) throw claimExpired();
}

function newRegistration(desk: Desk, visitor: AgentVisitor, kind: AgentRegistrationRow['kind']) {
  const { ports } = desk.services;
  const claimToken = desk.secrets.token('clm');
  const row: AgentRegistrationRow = {
    id: ports.ids.make('agent_reg'),
    kind,
    claim_hash: ports.digest(claimToken),
    user_agent: visitor.userAgent,
    ip_hash: ports.digest(visitor.ip),
    sandbox_organization_id: null,
    user_id: null,
    claimed_organization_id: null,
    created_at: nowOf(ports.clock),
    expires_at: fromNow(desk.services.ports.clock, desk.lifetimes.registration * SECOND_MS),
    claimed_at: null,
    revoked_at: null,
  };
  const registered: Registered = { id: row.id, claimToken, expiresAt: row.expires_at };
  return { row, registered };
}

interface Asked {
  readonly visitor: AgentVisitor;
  readonly loginHint: string;
}

/** The address that was given is written down and looked up nowhere: an unknown one is answered like any other. */
async function newAttempt(
  desk: Desk,
  registrationId: string,
  { visitor, loginHint }: Asked,
): Promise<Attempt> {
  const { store, ports } = desk.services;
  const token = desk.secrets.token('att');
  const id = ports.ids.make('agent_claim');
  const expiresAt = fromNow(desk.services.ports.clock, desk.lifetimes.claim * SECOND_MS);
  await insertClaimAttempt(store.db, {
    id,
    registration_id: registrationId,
    token_hash: ports.digest(token),
    login_hint: loginHint.toLowerCase(),
    user_agent: visitor.userAgent,
    ip: visitor.ip,
    created_at: nowOf(ports.clock),
    expires_at: expiresAt,
  });
  return { id, token, expiresAt };
}

/** Everything in one transaction: what the work writes through the desk it is given is in it. */
export function together<T>(desk: Desk, work: (inside: Desk, tx: Db) => Promise<T>): Promise<T> {
  const { store } = desk.services;
  return store.transaction((tx) => {
    const services = { ...desk.services, store: storeWithin(store, tx) };
    return work({ ...desk, services }, tx);
  });
}

/** An organization that nobody belongs to, with an advertiser to read and nothing to spend. */
async function makeSandbox(actor: Actor, tx: Db): Promise<number> {
  const { organization, customers } = await createOrganization(actor, {
    name: 'Sandbox of an agent',
    kind: 'sandbox',
    tier: 'basic',
    roles: ['BUYER'],
  });
  for (const { id } of customers) {
    await insertAdvertiser(tx, makeScope({ organizationId: organization.id, customerId: id }), {
      name: 'Sandbox advertiser',
      description: 'An example to read. It ends with the registration of the agent.',
      brand: 'sandbox.example',
      status: 'ACTIVE',
      sandbox: 1,
      primary_currency: 'USD',
      currency_locked: 0,
      optimization_apply_mode: 'MANUAL',
      version: 1,
      created_at: actor.now,
      updated_at: actor.now,
    });
  }
  return organization.id;
}
