import type { Step } from './step.ts';

const logged = { type: 'INVENTORY_SOURCE', id: 'sourceId', called: 'Shelf' } as const;
const names = { sourceId: 'hidden' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'inventory_source_create',
    by: 'seller',
    needs: 'buyer:write',
    args: () => ({ name: 'Shelf', executionType: 'MANAGED_SALES_AGENT' }),
    after: ['storefront_record_create'],
    gives: { sourceId: 'sourceId' },
    names: { sourceId: 'new' },
    logged,
  },
  {
    tool: 'inventory_source_list',
    by: 'seller',
    needs: 'buyer:read',
    args: () => ({ detail: 'full', take: 10, skip: 0 }),
    rowsBy: 'inventory_source_create',
  },
  {
    tool: 'inventory_source_get',
    by: 'seller',
    needs: 'buyer:read',
    args: (made) => ({ sourceId: made('sourceId') }),
    names,
  },
  {
    tool: 'inventory_source_update',
    by: 'seller',
    needs: 'buyer:write',
    args: (made) => ({ sourceId: made('sourceId'), description: 'On the left.' }),
    names,
    logged,
  },
  {
    tool: 'inventory_source_create',
    by: 'seller',
    needs: 'buyer:write',
    args: () => ({ name: 'Spare', executionType: 'MANAGED_SALES_AGENT' }),
    last: true,
    gives: { spareSourceId: 'sourceId' },
    logged: { ...logged, id: 'spareSourceId', called: 'Spare' },
  },
  {
    tool: 'inventory_source_delete',
    needs: 'buyer:admin',
    by: 'seller',
    args: (made) => ({ sourceId: made('spareSourceId') }),
    last: true,
    names,
    logged: { ...logged, id: 'spareSourceId', called: 'Spare' },
  },
];
