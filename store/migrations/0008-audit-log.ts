import { identity, integer, optional, refers, type Table, tables, text } from './tables.ts';

const auditLogs: Table = {
  name: 'audit_logs',
  columns: {
    id: identity,
    organization_id: refers(integer, 'organizations.id'),
    customer_id: optional(integer),
    tool: text,
    surface: text,
    action: text,
    outcome: text,
    error_code: optional(text),
    resource_type: text,
    resource_id: optional(text),
    resource_name: optional(text),
    parent_type: optional(text),
    advertiser_id: optional(integer),
    user_id: optional(integer),
    credential_id: optional(text),
    actor_origin: text,
    parameters: optional(text),
    changes: optional(text),
    description: text,
    request_id: text,
    ip: optional(text),
    created_at: text,
  },
  indexes: {
    audit_logs_by_customer: ['organization_id', 'customer_id', 'id'],
    audit_logs_by_resource: ['organization_id', 'resource_type', 'resource_id'],
  },
};

export const step = tables(auditLogs);
