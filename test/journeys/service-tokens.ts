import type { Step } from './step.ts';

const logged = { type: 'SERVICE_TOKEN', id: 'serviceTokenId', called: 'Report of tonight' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'service_token_create',
    by: 'buyer',
    needs: 'person:admin',
    args: () => ({ name: 'Report of tonight', description: 'Reads once', role: 'READ' }),
    gives: { serviceTokenId: 'id' },
    logged,
  },
  {
    tool: 'service_token_list',
    by: 'buyer',
    needs: 'buyer:admin',
    args: () => ({ take: 5, skip: 0 }),
    ofOrganization: true,
    rowsBy: 'service_token_create',
  },
  {
    tool: 'service_token_archive',
    by: 'buyer',
    needs: 'buyer:admin',
    args: (made) => ({ id: made('serviceTokenId') }),
    last: true,
    names: { id: 'organization' },
    logged: { ...logged, action: 'ARCHIVE' },
  },
];
