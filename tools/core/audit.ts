import type { AuditAction, AuditLogRow, AuditResourceType } from '../../store/audit-log.ts';
import { toJson } from '../../store/engine/codec.ts';
import type { Caller } from './context.ts';
import type { Effect, Tool } from './define.ts';
import { withoutSecrets } from './redaction.ts';

/** What a mutation touched. What is left out is taken from the tool. */
export interface AuditSubject {
  readonly resourceType?: AuditResourceType;
  readonly resourceId?: string | number;
  readonly resourceName?: string;
  readonly advertiserId?: number;
  readonly action?: AuditAction;
  /** Field by field: `{ name: { from, to } }`. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

/** What the log keeps of the call itself. */
export interface AuditCall {
  readonly tool: Tool;
  readonly caller: Caller;
  readonly customerId: number | null;
  readonly requestId: string;
  readonly ip: string | null;
  readonly now: string;
  readonly input: Readonly<Record<string, unknown>> | null;
}

export interface AuditEnd {
  readonly outcome: AuditLogRow['outcome'];
  readonly errorCode: string | null;
  readonly description: string;
}

const PARAMETERS_MAX = 8_192;

const actions: Readonly<Record<Exclude<Effect, 'read'>, AuditAction>> = {
  create: 'CREATE',
  update: 'UPDATE',
  delete: 'DELETE',
  act: 'EXECUTE',
};

const origins: Readonly<Record<Caller['kind'], AuditLogRow['actor_origin']>> = {
  user: 'human',
  api_key: 'agent',
  agent: 'agent',
  anonymous_agent: 'agent',
  m2m: 'autonomous',
};

export function auditEntry(call: AuditCall, subject: AuditSubject, end: AuditEnd): Omit<AuditLogRow, 'id'> {
  const { tool, caller } = call;
  return {
    organization_id: caller.organizationId,
    customer_id: call.customerId,
    tool: tool.name,
    surface: tool.surface,
    action: subject.action ?? (tool.effect === 'read' ? 'EXECUTE' : actions[tool.effect]),
    outcome: end.outcome,
    error_code: end.errorCode,
    resource_type: subject.resourceType ?? tool.resource ?? 'ADVERTISER',
    resource_id: subject.resourceId === undefined ? null : String(subject.resourceId),
    resource_name: subject.resourceName ?? null,
    parent_type: null,
    advertiser_id: subject.advertiserId ?? null,
    user_id: caller.userId,
    credential_id: caller.principal,
    actor_origin: origins[caller.kind],
    parameters: call.input === null ? null : toJson(parameters(call.input)),
    changes: subject.changes === undefined ? null : toJson(withoutSecrets(subject.changes)),
    description: end.description,
    request_id: call.requestId,
    ip: call.ip,
    created_at: call.now,
  };
}

function parameters(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = withoutSecrets(input);
  return JSON.stringify(plain).length <= PARAMETERS_MAX ? plain : { omitted: 'larger than 8 KiB' };
}
