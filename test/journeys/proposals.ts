import type { Step } from './step.ts';

const logged = { type: 'STOREFRONT_PROPOSAL', id: 'offerId', called: 'Spring offer' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'proposal_create',
    by: 'seller',
    needs: 'buyer:write',
    args: (made) => ({
      operatorId: { domain: 'acme.example' },
      label: 'Spring offer',
      expiresAt: '2026-12-10T00:00:00.000Z',
      discoveryId: made('discoveryId'),
      proposalId: made('proposalId'),
    }),
    gives: { offerId: 'id' },
    names: { discoveryId: 'hidden', proposalId: 'part', operatorId: 'new' },
    logged,
  },
  {
    tool: 'proposal_list',
    by: 'seller',
    needs: 'buyer:read',
    rowsBy: 'proposal_create',
    args: () => ({ status: 'active', operatorId: 'acme.example', take: 5, skip: 0 }),
    names: { operatorId: 'filter' },
  },
  {
    tool: 'proposal_get',
    by: 'seller',
    needs: 'buyer:read',
    args: (made) => ({ id: made('offerId') }),
    names: { id: 'hidden' },
  },
  {
    tool: 'proposal_update',
    by: 'seller',
    needs: 'buyer:write',
    args: (made) => ({ id: made('offerId'), notes: 'Called them.' }),
    names: { id: 'hidden' },
    logged,
  },
  {
    tool: 'proposal_revoke',
    by: 'seller',
    needs: 'buyer:write',
    args: (made) => ({ id: made('offerId') }),
    last: true,
    names: { id: 'hidden' },
    logged,
  },
];
