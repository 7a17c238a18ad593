import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'account_list',
    by: 'buyer',
    needs: 'buyer:read',
    args: () => ({ take: 5, skip: 0 }),
    gives: { ownAccountId: 'id' },
  },
  { tool: 'account_get', by: 'buyer', needs: 'buyer:read' },
  {
    tool: 'account_create',
    by: 'buyer',
    needs: 'browser:admin',
    args: () => ({ name: 'Acme Nordics', customerRole: 'BUYER', customerDomain: 'nordics.acme.example' }),
    gives: { childAccountId: 'id' },
    logged: { type: 'ORGANIZATION', id: 'childAccountId', called: 'Acme Nordics' },
  },
  {
    tool: 'account_switch',
    by: 'buyer',
    needs: 'browser:read',
    within: ['grants'],
    // Where the browser is anyway: the steps that follow it stay in their organization.
    args: (made) => ({ accountId: made('ownAccountId') }),
    names: { accountId: 'organization' },
    logged: { type: 'ORGANIZATION', id: 'ownAccountId' },
  },
  {
    tool: 'account_domain_update',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ customerId: made('childAccountId'), customerDomain: 'north.acme.example' }),
    names: { customerId: 'organization' },
    logged: { type: 'ORGANIZATION', id: 'childAccountId', called: 'Acme Nordics' },
  },
  {
    tool: 'account_membership_update',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ customerId: made('childAccountId'), allowDomainAutoJoin: true }),
    names: { customerId: 'organization' },
    logged: { type: 'ORGANIZATION', id: 'childAccountId', called: 'Acme Nordics' },
  },
  {
    tool: 'account_membership_get',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ customerId: made('childAccountId') }),
    names: { customerId: 'organization' },
  },
  {
    tool: 'account_delete',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ customerId: made('childAccountId') }),
    names: { customerId: 'organization' },
    logged: { type: 'ORGANIZATION', id: 'childAccountId', called: 'Acme Nordics' },
  },
];
