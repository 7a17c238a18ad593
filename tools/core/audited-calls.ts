import type { AuditLogRow } from '../../store/audit-log.ts';
import { type Act, actions } from './audit.ts';
import type { Attempt } from './call-context.ts';
import type { Caller } from './context.ts';
import type { Tool } from './define.ts';
import { namedIn } from './named-object.ts';
import { REASON_FIELD, reasonNamedIn } from './reasons.ts';
import type { Stream } from './streams.ts';
import { accountOn } from './surfaces.ts';

/** Calls as the audit log tells of them. */

const origins: Readonly<Record<Caller['kind'], AuditLogRow['actor_origin']>> = {
  user: 'human',
  api_key: 'agent',
  agent: 'agent',
  anonymous_agent: 'agent',
  m2m: 'autonomous',
  service_token: 'autonomous',
  legacy_key: 'agent',
  operator: 'system',
};

/** Streams only read. */
export function changes(tool: Tool | Stream): tool is Exclude<Tool, { effect: 'read' }> {
  return 'effect' in tool && tool.effect !== 'read';
}

/** A call as the audit log tells of it; undefined for one that changes nothing. */
export function actOf(
  { tool, exchange, raw, input, reason }: Attempt,
  caller: Caller,
  now: string,
): Act | undefined {
  if (!changes(tool)) return undefined;
  const { kind } = tool.audit;
  return {
    author: {
      organizationId: caller.organizationId,
      customerId: accountOn(tool.surface, caller.accounts),
      userId: caller.userId,
      credentialId: caller.principal,
      names: {
        userEmail: caller.person?.email ?? null,
        userName: caller.person?.name ?? null,
        // A person without a key of its own is named already.
        credentialName: caller.name === caller.person?.email ? null : caller.name,
      },
      origin: origins[caller.kind],
      requestId: exchange.from.requestId,
      ip: exchange.from.ip,
    },
    tool: tool.name,
    surface: caller.kind === 'operator' ? caller.kind : tool.surface,
    title: tool.title,
    action: actions[tool.effect],
    kind,
    resourceId: input === null ? namedIn(tool, raw) : tool.audit.ofInput?.(input),
    ...saidOf(input, reason ?? (input === null ? reasonNamedIn(tool, raw) : undefined)),
    now,
  };
}

/** What was asked for, and why: the reason that a capability takes itself is not told twice. */
export function saidOf(input: Attempt['input'], reason: string | undefined) {
  const own = input?.[REASON_FIELD];
  if (input === null || typeof own !== 'string') return { parameters: input, reason: reason ?? null };
  const { [REASON_FIELD]: _own, ...parameters } = input;
  return { parameters, reason: own };
}
