import { z } from 'zod';
import { actorNameOf, namesOfActors } from '../../../store/actors.ts';
import {
  type AuditLogRow,
  actorOrigins,
  auditActions,
  auditOutcomes,
  listAuditLogs,
} from '../../../store/audit-log.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import type { Kind } from '../../core/kinds.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { numericId, outputId } from '../../domain/ids.ts';
import { auditedKinds } from '../../domain/organizations/kinds.ts';
import { pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { dateTime, timestamp } from '../../domain/time.ts';

const facts = z.record(z.string(), z.unknown()).nullable();

/** An entry of the audit log (contract: BuyerAuditLog). */
function entryOf(types: readonly string[]) {
  return z
    .object({
      id: z.number().int().describe('Number of the entry.'),
      timestamp: timestamp.describe('When it happened.'),
      createdAt: timestamp.describe('When it was written: the same moment.'),
      action: z.enum(auditActions).describe('What was done.'),
      outcome: z.enum(auditOutcomes).describe('denied: refused. failed: the service could not.'),
      errorCode: z.string().nullable().describe('Why it was refused.'),
      resourceType: z.enum(types).describe('What it was done to.'),
      resourceId: z.string().nullable().describe('Its id.'),
      resourceName: z.string().nullable().describe('Its name.'),
      parentType: z.string().nullable().describe('What it belongs to.'),
      advertiserId: outputId('The advertiser.').nullable().describe('The advertiser it belongs to.'),
      actorName: z.string().nullable().describe('Name of the key, or of the person, that did it.'),
      userId: z.number().int().nullable().describe('The person who did it.'),
      credentialId: z.string().nullable().describe('The credential that was used; never its value.'),
      actorOrigin: z.enum(actorOrigins).describe('What kind of caller it was.'),
      tool: z.string().describe('The capability that was called.'),
      requestId: z.string().describe('The request it came with.'),
      parameters: facts.describe('What was asked for, secrets left out.'),
      changes: facts.describe('What changed, field by field.'),
      description: z.string().describe('The entry in words.'),
    })
    .partial({
      createdAt: true,
      parentType: true,
      userId: true,
      actorOrigin: true,
      requestId: true,
      parameters: true,
    })
    .meta({ id: 'AuditLog' });
}

/** The log can tell of these kinds of objects, and its filter takes them. */
export function auditLogListOf(kinds: readonly Kind[]) {
  const types = [...new Set([...kinds, ...auditedKinds].map(({ type }) => type))];
  return defineTool({
    name: 'audit_log_list',
    title: 'List audit logs',
    example: { outcome: 'succeeded', take: 20 },
    description:
      'Lists who changed what in your account, newest first: every change, and every attempt that was refused. ' +
      'Reads are not in it. Narrow it by time, resource, action or outcome; take and skip page, detail full ' +
      'adds what was asked for.',
    effect: 'read',
    access: needs('buyer:admin'),
    rest: { method: 'GET', path: '/audit-logs', list: 'logs' },
    input: z.strictObject({
      startDate: dateTime.optional().describe('Entries from this moment on.'),
      endDate: dateTime.optional().describe('Entries up to this moment.'),
      advertiserId: numericId('the advertiser').optional(),
      resourceTypes: z.array(z.enum(types)).min(1).optional().describe('Only these kinds.'),
      resourceId: z.string().max(128).optional().describe('Only this object.'),
      actions: z.array(z.enum(auditActions)).min(1).optional().describe('Only these actions.'),
      outcome: z.enum(auditOutcomes).optional().describe('Only this outcome.'),
      actorOrigin: z.enum(actorOrigins).optional().describe('Only this kind of caller.'),
      ...pagingFields({ byDefault: 50, max: 500 }),
      detail,
    }),
    spellings: pagingSpellings,
    notBuilt: [
      'campaignId',
      'actorUserId',
      'actorUserEmail',
      'resourceTypes[]=CREATIVE',
      'resourceTypes[]=PACKAGE',
      'actions[]=ACTIVATE',
      'actions[]=DEACTIVATE',
    ],
    output: z.object({
      logs: z.array(entryOf(types)).describe('This page of the log.'),
      total: z
        .number()
        .int()
        .describe('How many entries there are without paging; beyond 10,000 an estimate.'),
    }),
    errors: [],
    handler: async (ctx, input) => {
      const { take, skip, detail: _, ...filter } = input;
      const { rows, total } = await listAuditLogs(ctx.db, ctx.scope, { filter, page: { take, skip } });
      const names = await namesOfActors(ctx.db, ctx.scope, rows);
      const compact = isCompact(ctx, input);
      return {
        logs: rows.map((row) => {
          const entry = auditLogRecord(row, actorNameOf(row, names));
          return compact ? compactEntry(entry) : entry;
        }),
        total,
      };
    },
  });
}

type Entry = z.input<ReturnType<typeof entryOf>>;

/** What happened, to what, by whom and why: the rest is asked for with `detail`. */
function compactEntry(entry: Entry): Entry {
  const { createdAt: _, parentType, userId, actorOrigin, requestId, parameters, ...said } = entry;
  return said;
}

function auditLogRecord(row: AuditLogRow, actorName: string | null): Entry {
  return {
    id: row.id,
    timestamp: row.created_at,
    createdAt: row.created_at,
    action: row.action,
    outcome: row.outcome,
    errorCode: row.error_code,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    resourceName: row.resource_name,
    parentType: row.parent_type,
    advertiserId: row.advertiser_id,
    actorName,
    userId: row.user_id,
    credentialId: row.credential_id,
    actorOrigin: row.actor_origin,
    tool: row.tool,
    requestId: row.request_id,
    parameters: row.parameters === null ? null : fromJson(row.parameters),
    changes: row.changes === null ? null : fromJson(row.changes),
    description: row.description,
  };
}
