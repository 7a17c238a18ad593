import { createActor } from '../../core/actor.ts';
import { type Act, namesOf } from '../../core/audit.ts';
import type { Actor, Services } from '../../core/context.ts';
import { agentKind } from '../organizations/kinds.ts';

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

/** The time that is so many seconds from now, as it is stored. */
export function momentIn({ services }: Desk, seconds: number): string {
  return new Date(services.ports.clock.now() + seconds * 1_000).toISOString();
}

type Deed = Pick<Act, 'tool' | 'title' | 'action'>;

interface For {
  readonly visitor: AgentVisitor;
  readonly id: string;
  /** The person, where one acts. */
  readonly person?: Claimer;
}

/** A person who answers for an agent. */
export interface Claimer {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

/** Somebody at the desk who writes: the agent itself, or the person who answers for it. Each entry says whose it is. */
export function actorAt(desk: Desk, deed: Deed, { visitor, id, person }: For): Actor {
  const { store, ports } = desk.services;
  return createActor(
    { store, clock: ports.clock, ids: ports.ids },
    {
      ...deed,
      author: {
        organizationId: 0,
        customerId: null,
        userId: person?.id ?? null,
        credentialId: agentPrincipal(id),
        ...(person === undefined ? {} : { names: namesOf(person) }),
        origin: person === undefined ? 'agent' : 'human',
        requestId: visitor.requestId,
        ip: visitor.ip,
      },
      surface: 'platform',
      kind: agentKind,
      resourceId: id,
      parameters: null,
    },
  );
}
