import type { Step } from './step.ts';

const logged = { type: 'BROWSER_ORIGIN', id: 'originId', called: 'https://app.journey.example' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'browser_origin_create',
    by: 'buyer',
    needs: 'buyer:admin',
    overRestAlone: true,
    args: () => ({ origin: 'https://app.journey.example', label: 'Dashboard' }),
    gives: { originId: 'id' },
    logged,
  },
  {
    tool: 'browser_origin_list',
    by: 'buyer',
    needs: 'buyer:admin',
    overRestAlone: true,
    ofOrganization: true,
    rowsBy: 'browser_origin_create',
    args: () => ({ take: 5, skip: 0 }),
  },
  {
    tool: 'browser_origin_delete',
    by: 'buyer',
    needs: 'buyer:admin',
    overRestAlone: true,
    args: (made) => ({ id: made('originId') }),
    last: true,
    names: { id: 'organization' },
    logged,
  },
];
