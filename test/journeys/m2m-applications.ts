import type { Step } from './step.ts';

const application = { type: 'M2M_APPLICATION', id: 'applicationId', called: 'Bid optimiser' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'm2m_application_create',
    by: 'buyer',
    needs: 'browser:admin',
    args: () => ({ name: 'Bid optimiser', permissions: ['buyer:read', 'buyer:write'] }),
    gives: { applicationId: 'id' },
    // Which account it is bound to is chosen for it; one of others is refused in the tool's own test.
    names: { customerId: 'new' },
    logged: application,
  },
  {
    tool: 'm2m_application_list',
    by: 'buyer',
    needs: 'browser:admin',
    args: () => ({ take: 5, skip: 0 }),
    rowsBy: 'm2m_application_create',
  },
  {
    tool: 'm2m_secret_create',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ id: made('applicationId') }),
    gives: { nextSecretId: 'id' },
    names: { id: 'organization' },
    logged: { type: 'CLIENT_SECRET', id: 'nextSecretId', called: 'Bid optimiser' },
  },
  {
    tool: 'm2m_application_get',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ id: made('applicationId') }),
    names: { id: 'organization' },
  },
  {
    tool: 'm2m_secret_delete',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ id: made('applicationId'), secretId: made('nextSecretId') }),
    last: true,
    names: { id: 'organization', secretId: 'organization' },
    logged: { type: 'CLIENT_SECRET', id: 'nextSecretId', called: 'Bid optimiser' },
  },
  {
    tool: 'm2m_application_delete',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ id: made('applicationId') }),
    last: true,
    after: ['m2m_secret_delete'],
    names: { id: 'organization' },
    logged: application,
  },
];
