import type { Step } from './step.ts';

const logged = { type: 'JOIN_LINK', id: 'joinLinkId' } as const;

export const steps: readonly Step[] = [
  {
    tool: 'join_link_create',
    by: 'seller',
    needs: 'buyer:admin',
    args: (made) => ({ storefrontId: made('storefrontId'), approvalPolicy: 'manual_approve' }),
    gives: { joinLinkId: 'id', joinSlug: 'slug' },
    names: { storefrontId: 'hidden' },
    logged,
  },
  {
    tool: 'join_link_list',
    by: 'seller',
    needs: 'buyer:read',
    rowsBy: 'join_link_create',
    args: () => ({ take: 5, skip: 0 }),
  },
  { tool: 'sponsored_buyer_list', by: 'seller', needs: 'buyer:read', args: () => ({ take: 5, skip: 0 }) },
  {
    tool: 'sponsored_buyer_update',
    by: 'seller',
    needs: 'buyer:admin',
    args: (made) => ({ buyerId: made('sponsoredBuyerId'), action: 'approve' }),
    names: { buyerId: 'hidden' },
    logged: { type: 'SPONSORED_BUYER', id: 'sponsoredBuyerId', called: 'Sponsored' },
  },
  {
    tool: 'join_link_delete',
    by: 'seller',
    needs: 'buyer:admin',
    args: (made) => ({ linkId: made('joinLinkId') }),
    last: true,
    names: { linkId: 'hidden' },
    logged,
  },
];
