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
import { nowOf } from '../../core/moments.ts';
import { type AgentVisitor, actorAt, type Desk, momentIn } from './desk.ts';
import { type ClaimedIdentity, identityOf, newRefreshToken } from './identities.ts';
import { AgentRefusal, alreadyClaimed, codeExpired, notConfirmed } from './refusals.ts';
import { refuseEnded, together } from './registering.ts';

/** Wrong codes that an attempt outlives are one fewer. */
const TRIES_MAX = 5;

/**
 * A person confirms a claim: gives the code to read to the agent. Undefined where the attempt is over, or
 * another person was before. Who is asked, and for which organization, the page has made sure of.
 */
export async function confirmClaim(
  desk: Desk,
  { attemptId, ...who }: { attemptId: string; userId: number; organizationId: number },
): Promise<string | undefined> {
  const { store, ports } = desk.services;
  const code = desk.secrets.code();
  const codeHash = await desk.secrets.hashCode(code, attemptId);
  const confirmation = { ...who, id: attemptId, codeHash, now: nowOf(ports.clock) };
  return (await confirmClaimAttempt(store.db, confirmation)) ? code : undefined;
}

/** A person says that the agent is none of theirs. */
export async function denyClaim({ services }: Desk, attemptId: string): Promise<void> {
  await endClaimAttempt(services.store.db, { id: attemptId, now: nowOf(services.ports.clock) });
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
  const attempt = await provenAttempt(desk, await liveAttempt(desk, registration), userCode);
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
  readonly userId: number;
  readonly organizationId: number;
}

/** Each code takes a try before anybody looks at it: many at once are as many tries. */
async function provenAttempt(desk: Desk, { id }: AgentClaimAttemptRow, userCode: string): Promise<Proven> {
  const { store, ports } = desk.services;
  const now = nowOf(ports.clock);
  const tried = await takeTry(store.db, { id, max: TRIES_MAX, now });
  const hash = await desk.secrets.hashCode(userCode, id);
  if (tried === undefined) throw codeExpired();
  if (tried.code_hash !== hash) throw await wrongCode(desk, tried);
  const { confirmed_by: userId, chosen_organization_id: organizationId } = tried;
  if (userId === null || organizationId === null) throw notConfirmed();
  const member = await findMember(store.db, { userId, organizationId });
  if (member === undefined) {
    await endClaimAttempt(store.db, { id, now });
    throw notConfirmed();
  }
  return { attemptId: id, userId, organizationId };
}

async function wrongCode(desk: Desk, { id, tries }: AgentClaimAttemptRow): Promise<AgentRefusal> {
  const left = TRIES_MAX - tries;
  if (left <= 0) await denyClaim(desk, id);
  return new AgentRefusal(
    'invalid_user_code',
    left > 0
      ? 'This is not the code. Ask the user to read it again.'
      : 'This is not the code, and the last that was taken. Start another attempt at the claim endpoint.',
  );
}

interface Claiming extends Proven {
  readonly registration: AgentRegistrationRow;
}

async function claim(
  desk: Desk,
  visitor: AgentVisitor,
  { registration, attemptId, userId, organizationId }: Claiming,
): Promise<ClaimedIdentity & { readonly id: string }> {
  const { id } = registration;
  const expiresAt = momentIn(desk, desk.lifetimes.refresh);
  const deed = { tool: 'agent_claim', title: 'Claim an agent', action: 'CREATE' } as const;
  const now = nowOf(desk.services.ports.clock);
  // Signed before, so that nothing can go wrong once the registration is claimed: it is told of that once.
  const identity = await identityOf(desk, { id, expires_at: expiresAt, claimed_at: now });
  const refreshToken = await together(desk, (inside, tx) =>
    actorAt(inside, deed, { visitor, id, userId }).write(
      async () => {
        const isFirst = await claimAgent(tx, { id, userId, organizationId, now, expiresAt });
        if (!isFirst) throw alreadyClaimed();
        await endClaimAttempt(tx, { id: attemptId, now });
        return newRefreshToken(inside, id);
      },
      { tenant: { organizationId, customerId: null } },
    ),
  );
  return { id, ...identity, refreshToken };
}
