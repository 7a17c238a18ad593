import type { Step } from './step.ts';

const logged = { type: 'API_KEY', id: 'organizationKeyId' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'org_api_key_create',
    by: 'buyer',
    needs: 'browser:admin',
    args: () => ({ name: 'Nightly reports', permissions: ['buyer:read'] }),
    gives: { organizationKeyId: 'id' },
    logged: { ...logged, called: 'Nightly reports' },
  },
  {
    tool: 'org_api_key_list',
    by: 'buyer',
    needs: 'browser:admin',
    args: () => ({ take: 5, skip: 0 }),
    rowsBy: 'org_api_key_create',
  },
  { tool: 'widget_token_get', by: 'buyer', needs: 'browser:read' },
  {
    tool: 'org_api_key_delete',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ key_id: made('organizationKeyId') }),
    last: true,
    names: { key_id: 'organization' },
    logged: { ...logged, called: 'Nightly reports' },
  },
];
