import type { Db } from '../../../store/engine/db.ts';
import type { AgentRegistrationRow } from '../../../store/unscoped/agent-registrations.ts';
import { findUser } from '../../../store/unscoped/users.ts';
import { createActor } from '../../core/actor.ts';
import type { Act, AuditSubject } from '../../core/audit.ts';
import type { Actor, Services } from '../../core/context.ts';
import { agentKind } from '../organizations/kinds.ts';
import { ownLog } from '../organizations/own-log.ts';
import { boundedText } from '../text.ts';

/** What only a secret source can make: the port that registration uses beside those of every call. */
export interface AgentSecrets {
  /** 256 random bits behind a prefix: `clm_…`. */
  token(prefix: 'clm' | 'att' | 'agr'): string;
  /** Six random digits, for a person to read out. */
  code(): string;
  /** Slow on purpose: of six digits a fast hash would hide nothing. */
  hashCode(code: string, attemptId: string): Promise<string>;
}

/** How long what agents get lives, in seconds. */
export interface AgentLifetimes {
  readonly registration: number;
  readonly claim: number;
  readonly assertion: number;
  readonly token: number;
  readonly refresh: number;
}

/** Where agents without a credential are received. */
export interface Desk {
  readonly services: Services;
  readonly secrets: AgentSecrets;
  readonly lifetimes: AgentLifetimes;
}

/** Who stands there, as the request shows it; nothing of it is proven. */
export interface AgentVisitor {
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

const PRINCIPAL_PREFIX = 'agent:';

/** How the audit log names an agent. */
export function agentPrincipal(id: string): string {
  return `${PRINCIPAL_PREFIX}${id}`;
}

/** The agent that a principal is; undefined for any other. */
export function agentIdIn(principal: string | null): string | undefined {
  return principal?.startsWith(PRINCIPAL_PREFIX) ? principal.slice(PRINCIPAL_PREFIX.length) : undefined;
}

/** A registration, as far as the log tells of it. */
export type LoggedAgent = Pick<
  AgentRegistrationRow,
  'id' | 'user_agent' | 'user_id' | 'claimed_organization_id' | 'sandbox_organization_id'
>;

const NAME_MAX = 100;

/** What the log calls an agent: what it says of itself, which nobody has looked at. */
export function agentName({ user_agent }: Pick<LoggedAgent, 'user_agent'>): string {
  return boundedText(user_agent, NAME_MAX) || 'an agent that says nothing of itself';
}

/** A person who answers for an agent. */
export interface Claimer {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

/** Whom an agent acts for; undefined before it is claimed. */
export async function personBehind(db: Db, { user_id }: LoggedAgent): Promise<Claimer | undefined> {
  return user_id === null ? undefined : findUser(db, user_id);
}

/** What the log says of a deed about an agent: in the log of where it works, or has its sandbox, or of nobody. */
export async function aboutAgent(
  db: Db,
  agent: LoggedAgent,
  changes?: AuditSubject['changes'],
): Promise<AuditSubject> {
  const at = agent.claimed_organization_id ?? agent.sandbox_organization_id;
  return {
    resourceName: agentName(agent),
    ...(changes && { changes }),
    tenant: at === null ? 'installation' : await ownLog(db, at),
  };
}

type Deed = Pick<Act, 'tool' | 'title' | 'action'>;

interface For {
  readonly visitor: AgentVisitor;
  readonly agent: LoggedAgent;
  /** The person, where one acts; with `isAgent`, whom the agent acts for. */
  readonly person?: Claimer | undefined;
  readonly isAgent?: boolean;
}

/** Somebody at the desk who writes: the agent itself, or the person who answers for it. Each entry says whose it is. */
export function actorAt(desk: Desk, deed: Deed, { visitor, agent, person, isAgent = false }: For): Actor {
  const { store, ports } = desk.services;
  return createActor(
    { store, clock: ports.clock, ids: ports.ids },
    {
      ...deed,
      author: {
        organizationId: 0,
        customerId: null,
        userId: person?.id ?? null,
        credentialId: agentPrincipal(agent.id),
        names: {
          userEmail: person?.email ?? null,
          userName: person?.name ?? null,
          credentialName: agentName(agent),
        },
        origin: person === undefined || isAgent ? 'agent' : 'human',
        requestId: visitor.requestId,
        ip: visitor.ip,
      },
      surface: 'platform',
      kind: agentKind,
      resourceId: agent.id,
      parameters: null,
    },
  );
}
