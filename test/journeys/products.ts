import { productFields } from '../support/sellers/market.ts';
import type { Step } from './step.ts';

const logged = { type: 'PRODUCT', id: 'productId', called: 'Morning display' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'product_create',
    by: 'seller',
    needs: 'buyer:write',
    args: (made) => ({ ...productFields(), sourceId: made('sourceId') }),
    gives: { productId: 'productId' },
    names: { sourceId: 'hidden' },
    logged,
  },
  {
    tool: 'product_list',
    by: 'seller',
    needs: 'buyer:read',
    args: () => ({ status: 'ACTIVE', take: 5, skip: 0, detail: 'full' }),
    rowsBy: 'product_create',
  },
  {
    tool: 'product_get',
    by: 'seller',
    needs: 'buyer:read',
    args: (made) => ({ productId: made('productId') }),
    names: { productId: 'account' },
  },
  {
    tool: 'product_update',
    by: 'seller',
    needs: 'buyer:write',
    args: (made) => ({ productId: made('productId'), description: 'Banners beside the weather.' }),
    names: { productId: 'account' },
    logged,
  },
  {
    tool: 'product_delete',
    needs: 'buyer:admin',
    by: 'seller',
    args: (made) => ({ productId: made('productId') }),
    last: true,
    names: { productId: 'account' },
    logged: { ...logged, action: 'ARCHIVE' },
  },
];
