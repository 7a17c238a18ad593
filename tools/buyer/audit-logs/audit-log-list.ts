import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import type { Kind } from '../../core/kinds.ts';
import { spendLimitKind } from '../../domain/approvals/kinds.ts';
import {
  auditedTypes,
  logEntryOf,
  logFilters,
  logNotBuilt,
  logOf,
  pageOfLog,
} from '../../domain/auditing/log.ts';
import { numericId, prefixedId } from '../../domain/ids.ts';
import { pricingRuleKind } from '../../domain/ledger/kinds.ts';
import { pagingSpellings } from '../../domain/paging.ts';

/** The log can tell of these kinds of objects, and its filter takes them. */
export function auditLogListOf(kinds: readonly Kind[]) {
  const types = auditedTypes([...kinds, pricingRuleKind, spendLimitKind]);
  return defineTool({
    name: 'audit_log_list',
    title: 'List audit logs',
    example: { outcome: 'succeeded', take: 20 },
    description:
      'Lists what happened in your account and who changed what, newest first: every change and refused attempt, ' +
      'of campaigns, media buys and all else. Reads are not in it. Narrow it by time, resource, action or outcome; ' +
      'detail full adds what was asked for and how it changed.',
    effect: 'read',
    access: needs('buyer:admin'),
    rest: { method: 'GET', path: '/audit-logs', list: 'logs' },
    input: z.strictObject({
      advertiserId: numericId('the advertiser').optional(),
      campaignId: prefixedId('the campaign, with its media buys', 'cmp_').optional(),
      resourceTypes: z.array(z.enum(types)).optional().describe('Only these kinds.'),
      ...logFilters,
    }),
    spellings: pagingSpellings,
    notBuilt: ['resourceTypes[]=CREATIVE', 'resourceTypes[]=PACKAGE', ...logNotBuilt],
    output: logOf(logEntryOf(types).meta({ id: 'AuditLog' })),
    errors: [],
    handler: (ctx, input) => pageOfLog(ctx, input),
  });
}
