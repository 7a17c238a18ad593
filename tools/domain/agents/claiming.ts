import type { Db } from '../../../store/engine/db.ts';
import {
  type AgentClaimAttemptRow,
  confirmClaimAttempt,
  endClaimAttempt,
  findLastClaimAttempt,
  takeTry,
} from '../../../store/unscoped/agent-claim-attempts.ts';
import {
  type AgentRegistrationRow,
  claimAgent,
  findAgentByClaim,
} from '../../../store/unscoped/agent-registrations.ts';
import { findMember } from '../../../store/unscoped/people.ts';
import { findUser } from '../../../store/unscoped/users.ts';
import { fromNow, nowOf, SECOND_MS } from '../../core/moments.ts';
import { holdMaker } from '../organizations/holding.ts';
import { ownLog } from '../organizations/own-log.ts';
import { type AgentVisitor, actorAt, agentName, type Claimer, type Desk, type LoggedAgent } from './desk.ts';
import { type ClaimedIdentity, identityOf, newRefreshToken } from './identities.ts';
import { AgentRefusal, alreadyClaimed, codeExpired, notConfirmed } from './refusals.ts';
import { refuseEnded, together } from './registering.ts';

/** Wrong codes that an attempt outlives are one fewer. */
const TRIES_MAX = 5;

/** The claim that a person decides, and whose organization hears of it. */
export interface Decision {
  readonly visitor: AgentVisitor;
  readonly attemptId: string;
  readonly agent: LoggedAgent;
  readonly person: Claimer;
  readonly organizationId: number;
  /** The browser at which it is decided. */
  readonly sessionId: string;
}

/**
 * A person confirms a claim: gives the code to read to the agent. Undefined where the attempt is over, or
 * another person was before. Who is asked, and for which organization, the page has made sure of.
 */
export async function confirmClaim(desk: Desk, decision: Decision): Promise<string | undefined> {
  const { attemptId, person, organizationId } = decision;
  const code = desk.secrets.code();
  const codeHash = await desk.secrets.hashCode(code, attemptId);
  const confirmed = await decide(desk, decision, {
    deed: CONFIRM,
    work: async (tx, now) => {
      await holdMaker(tx, { userId: person.id, organizationId, sessionId: decision.sessionId });
      return confirmClaimAttempt(tx, { id: attemptId, userId: person.id, organizationId, codeHash, now });
    },
  });
  return confirmed ? code : undefined;
}

/** A person says that the agent is none of theirs. */
export async function denyClaim(desk: Desk, decision: Decision): Promise<void> {
  const id = decision.attemptId;
  await decide(desk, decision, { deed: DENY, work: (tx, now) => endClaimAttempt(tx, { id, now }) });
}

const CONFIRM = {
  tool: 'agent_claim_confirm',
  title: 'Confirm the claim of an agent',
  action: 'UPDATE',
} as const;
const DENY = { tool: 'agent_claim_deny', title: 'Deny the claim of an agent', action: 'DELETE' } as const;

interface Deciding {
  readonly deed: typeof CONFIRM | typeof DENY;
  /** False where there was nothing to decide any more. */
  readonly work: (tx: Db, now: string) => Promise<boolean>;
}

/** Makes a decision with its entry in the log of the organization; false where nothing was decided. */
async function decide(
  desk: Desk,
  { organizationId, visitor, agent, person }: Decision,
  { deed, work }: Deciding,
): Promise<boolean> {
  const tenant = await ownLog(desk.services.store.db, organizationId);
  const actor = actorAt(desk, deed, { visitor, agent, person });
  return actor.write(
    (tx) => work(tx, actor.now),
    (isDone) => (isDone ? { resourceName: agentName(agent), tenant } : undefined),
  );
}

/** The agent brings the code: from now on it acts for the person who confirmed. Of many calls one is told so. */
export async function completeClaim(
  desk: Desk,
  visitor: AgentVisitor,
  { claimToken, userCode }: { readonly claimToken: string; readonly userCode: string },
): Promise<ClaimedIdentity & { readonly id: string }> {
  const { store, ports } = desk.services;
  const registration = await findAgentByClaim(store.db, ports.digest(claimToken));
  if (registration === undefined || registration.revoked_at !== null) {
    throw new AgentRefusal('invalid_claim', 'This claim token is unknown. Register again.');
  }
  refuseEnded(desk, registration);
  const live = await liveAttempt(desk, registration);
  const attempt = await provenAttempt(desk, live, { visitor, userCode, agent: registration });
  return claim(desk, visitor, { registration, ...attempt });
}

/** The attempt that a person confirmed and that still waits for its code. */
async function liveAttempt(desk: Desk, { id }: AgentRegistrationRow): Promise<AgentClaimAttemptRow> {
  const { store, ports } = desk.services;
  const attempt = await findLastClaimAttempt(store.db, id);
  if (attempt === undefined) throw notConfirmed();
  const isConfirmed = attempt.confirmed_at !== null;
  if (attempt.ended_at !== null) throw isConfirmed ? codeExpired() : notConfirmed();
  if (attempt.expires_at <= nowOf(ports.clock)) throw codeExpired();
  if (!isConfirmed) throw notConfirmed();
  return attempt;
}

interface Proven {
  readonly attemptId: string;
  readonly person: Claimer;
  readonly organizationId: number;
}

/** The agent that brings a code. */
interface Bringing {
  readonly visitor: AgentVisitor;
  readonly userCode: string;
  readonly agent: LoggedAgent;
}

/** Each code takes a try before anybody looks at it: many at once are as many tries. */
async function provenAttempt(desk: Desk, { id }: AgentClaimAttemptRow, bringing: Bringing): Promise<Proven> {
  const { userCode } = bringing;
  const { store, ports } = desk.services;
  const now = nowOf(ports.clock);
  const tried = await takeTry(store.db, { id, max: TRIES_MAX, now });
  const hash = await desk.secrets.hashCode(userCode, id);
  if (tried === undefined) throw codeExpired();
  if (tried.code_hash !== hash) throw await wrongCode(desk, bringing, tried);
  const { confirmed_by: userId, chosen_organization_id: organizationId } = tried;
  if (userId === null || organizationId === null) throw notConfirmed();
  const member = await findMember(store.db, { userId, organizationId });
  if (member === undefined) {
    await endClaimAttempt(store.db, { id, now });
    throw notConfirmed();
  }
  const { email, name } = member;
  return { attemptId: id, person: { id: userId, email, name }, organizationId };
}

async function wrongCode(
  desk: Desk,
  bringing: Bringing,
  attempt: AgentClaimAttemptRow,
): Promise<AgentRefusal> {
  const left = TRIES_MAX - attempt.tries;
  if (left <= 0) await giveUp(desk, bringing, attempt);
  return new AgentRefusal(
    'invalid_user_code',
    left > 0
      ? 'This is not the code. Ask the user to read it again.'
      : 'This is not the code, and the last that was taken. Start another attempt at the claim endpoint.',
  );
}

/** Ends an attempt whose code was guessed at: the organization that was to have the agent reads of it. */
async function giveUp(
  desk: Desk,
  { visitor, agent }: Bringing,
  attempt: AgentClaimAttemptRow,
): Promise<void> {
  const { db } = desk.services.store;
  const { id, confirmed_by: userId, chosen_organization_id: organizationId } = attempt;
  const title = `End the claim of an agent: ${TRIES_MAX} wrong codes`;
  const deed = { tool: 'agent_claim_fail', title, action: 'DELETE' } as const;
  const actor = actorAt(desk, deed, { visitor, agent });
  const person = userId === null ? undefined : await findUser(db, userId);
  const about = {
    resourceName: agentName(agent),
    changes: { confirmedBy: { from: person?.email ?? null, to: null } },
    tenant: await ownLog(db, organizationId ?? 0),
  };
  await actor.write(
    (tx) => endClaimAttempt(tx, { id, now: actor.now }),
    (isDone) => (isDone ? about : undefined),
  );
}

interface Claiming extends Proven {
  readonly registration: AgentRegistrationRow;
}

async function claim(
  desk: Desk,
  visitor: AgentVisitor,
  { registration, attemptId, person, organizationId }: Claiming,
): Promise<ClaimedIdentity & { readonly id: string }> {
  const { id } = registration;
  const expiresAt = fromNow(desk.services.ports.clock, desk.lifetimes.refresh * SECOND_MS);
  const deed = { tool: 'agent_claim', title: 'Claim an agent', action: 'CREATE' } as const;
  const now = nowOf(desk.services.ports.clock);
  // Signed before, so that nothing can go wrong once the registration is claimed: it is told of that once.
  const identity = await identityOf(desk, { id, expires_at: expiresAt, claimed_at: now });
  const tenant = await ownLog(desk.services.store.db, organizationId);
  const refreshToken = await together(desk, (inside, tx) =>
    actorAt(inside, deed, { visitor, agent: registration, person }).write(
      async () => {
        await holdMaker(tx, { userId: person.id, organizationId });
        const isFirst = await claimAgent(tx, { id, userId: person.id, organizationId, now, expiresAt });
        if (!isFirst) throw alreadyClaimed();
        // Over where the person chose a new password, or was taken out and let in again, since the code was looked at.
        if (!(await endClaimAttempt(tx, { id: attemptId, now }))) throw codeExpired();
        return newRefreshToken(inside, id);
      },
      { resourceName: agentName(registration), tenant },
    ),
  );
  return { id, ...identity, refreshToken };
}
