import { defineFamily } from '../../core/families.ts';
import type { Kind } from '../../core/kinds.ts';
import { auditLogListOf } from './audit-log-list.ts';

/** The log of whatever the other families write of. */
export function auditLogsOf(kinds: readonly Kind[]) {
  return defineFamily({
    surface: 'buyer',
    toolset: 'account',
    inDefaultList: true,
    tools: [auditLogListOf(kinds)],
  });
}
