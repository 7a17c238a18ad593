import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'domain_create',
    by: 'buyer',
    needs: 'browser:admin',
    args: () => ({ domain: 'journey.example', policy: 'request_approval' }),
    gives: { domainName: 'domain' },
    logged: { type: 'DOMAIN', id: 'domainName', called: 'journey.example' },
  },
  {
    tool: 'domain_list',
    by: 'buyer',
    needs: 'browser:admin',
    rowsBy: 'domain_create',
    args: () => ({ take: 5, skip: 0 }),
  },
  {
    tool: 'domain_update',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ domain: made('domainName'), policy: 'auto_approve' }),
    logged: { type: 'DOMAIN', id: 'domainName', called: 'journey.example' },
  },
  {
    tool: 'join_request_list',
    by: 'buyer',
    needs: 'browser:admin',
    args: () => ({ status: 'pending', take: 5, skip: 0 }),
  },
  {
    tool: 'join_request_update',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ id: made('joinRequestId'), status: 'declined' }),
    names: { id: 'organization' },
    logged: { type: 'JOIN_REQUEST', id: 'joinRequestId' },
  },
];
