import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'storefront_audit_log_list',
    by: 'seller',
    args: () => ({ take: 50, skip: 0, outcome: 'succeeded', actorOrigin: 'agent', detail: 'compact' }),
    last: true,
    needs: 'buyer:admin',
    names: { inventorySourceId: 'filter', actorUserId: 'filter', resourceId: 'filter' },
    rowsBy: 'product_create',
  },
];
