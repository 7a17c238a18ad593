import { defineFamily } from '../../core/families.ts';
import type { Kind } from '../../core/kinds.ts';
import { storefrontAuditLogListOf } from './storefront-audit-log-list.ts';

/** The log of whatever the other families of the surface write of. */
export function storefrontActivityOf(kinds: readonly Kind[]) {
  return defineFamily({
    surface: 'storefront',
    toolset: 'account',
    inDefaultList: true,
    tools: [storefrontAuditLogListOf(kinds)],
  });
}
