import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import type { Kind } from '../../core/kinds.ts';
import {
  auditedTypes,
  logEntryOf,
  logFilters,
  logNotBuilt,
  logOf,
  pageOfLog,
} from '../../domain/auditing/log.ts';
import { pagingSpellings } from '../../domain/paging.ts';
import { sourceKind } from '../../domain/sellers/reach.ts';

/** What the contract calls an inventory source, beside our own word. */
const SOURCE_WORD = 'STOREFRONT_INVENTORY_SOURCE';

/** The log can tell of these kinds of objects, and its filter takes them. */
export function storefrontAuditLogListOf(kinds: readonly Kind[]) {
  const types = auditedTypes(kinds);
  const type = z
    .enum([...types, SOURCE_WORD])
    .transform((word) => (word === SOURCE_WORD ? sourceKind.type : word));
  return defineTool({
    name: 'storefront_audit_log_list',
    title: 'List storefront audit logs',
    example: { outcome: 'succeeded', take: 20 },
    description:
      'Lists what happened in your selling account, and who changed what, newest first: storefront, inventory sources and products, ' +
      'every change and every refused attempt. Reads are not in it. Narrow it by time, resource, action ' +
      'or outcome; take and skip page, detail full adds what was asked for and how it changed.',
    effect: 'read',
    access: needs('buyer:admin'),
    rest: { method: 'GET', path: '/audit-logs', list: 'logs' },
    input: z.strictObject({
      inventorySourceId: z.string().max(128).optional().describe('Only this inventory source.'),
      resourceTypes: z.array(type).optional().describe('Only these kinds.'),
      ...logFilters,
    }),
    spellings: pagingSpellings,
    notBuilt: logNotBuilt,
    output: logOf(
      logEntryOf(types).omit({ parentType: true, advertiserId: true }).meta({ id: 'StorefrontAuditLog' }),
    ),
    errors: [],
    handler: (ctx, { inventorySourceId, ...asked }) =>
      pageOfLog(ctx, {
        ...asked,
        about: inventorySourceId === undefined ? undefined : { type: sourceKind.type, id: inventorySourceId },
      }),
  });
}
