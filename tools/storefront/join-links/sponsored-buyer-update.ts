import { z } from 'zod';
import { findSponsoredBuyer } from '../../../store/unscoped/signup.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, staleWrite } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { present } from '../../core/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { sponsoredBuyerKind } from '../../domain/organizations/kinds.ts';
import { moveSponsored } from '../../domain/organizations/sponsored.ts';
import { reachOwnStorefront } from '../../domain/storefronts/reach.ts';
import { sponsorshipMachine } from './machines.ts';
import { sponsoredBuyer, sponsoredBuyerRecord } from './record.ts';

const actions = ['approve', 'suspend', 'reactivate'] as const;

export const sponsoredBuyerUpdate = defineTool({
  name: 'sponsored_buyer_update',
  title: 'Update sponsored buyer',
  example: { buyerId: 1, action: 'approve' },
  description:
    'Lets a buyer in that came by a join link (approve), stops it (suspend) or lets it go on (reactivate). One ' +
    'that is not active sees no storefront and buys nothing new; what runs goes on. Find ids with ' +
    'sponsored_buyer_list.',
  effect: 'update',
  audit: { kind: sponsoredBuyerKind, ofInput: ({ buyerId }) => buyerId },
  access: needs('buyer:admin'),
  rest: { method: 'POST', path: '/sponsored-buyers/{buyerId}/{action}' },
  input: z.strictObject({
    buyerId: numericId('the buyer account', 'sponsoredBuyer'),
    action: z.enum(actions).describe('What to do: approve, suspend or reactivate.'),
  }),
  output: sponsoredBuyer,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, { buyerId }) => {
    const { id: storefrontId } = await reachOwnStorefront(ctx);
    return present(await findSponsoredBuyer(ctx.db, { storefrontId, buyerId }), sponsoredBuyerKind);
  },
  handler: async (ctx, { buyerId, action }, found) => {
    const to = next(sponsorshipMachine, found.status, action);
    if (to === undefined) {
      throw conflict(
        `A buyer that is ${found.status} cannot be told to ${action}.`,
        'See with sponsored_buyer_list which state it is in.',
      );
    }
    const move = { from: found.status, to, now: ctx.now };
    await ctx.write(
      async (tx) => {
        if (!(await moveSponsored(tx, found.organization_id, move))) throw staleWrite(sponsoredBuyerKind);
      },
      {
        resourceId: buyerId,
        resourceName: found.name,
        changes: { status: { from: found.status, to } },
      },
    );
    return sponsoredBuyerRecord({ ...found, status: to });
  },
});
