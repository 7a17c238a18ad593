import { z } from 'zod';
import { findJoinLink, revokeJoinLink } from '../../../store/join-links.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { present } from '../../core/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { joinLinkKind } from '../../domain/organizations/kinds.ts';

export const joinLinkDelete = defineTool({
  name: 'join_link_delete',
  title: 'Delete join link',
  example: { linkId: 'jl_example' },
  description:
    'Disables a link: nobody comes by it any more. Buyers that came stay; stop one with sponsored_buyer_update. ' +
    'Find links with join_link_list.',
  effect: 'delete',
  audit: { kind: joinLinkKind, ofInput: ({ linkId }) => linkId },
  access: needs('buyer:admin'),
  rest: { method: 'DELETE', path: '/join-links/{linkId}' },
  input: z.strictObject({ linkId: prefixedId('the link', 'jl_') }),
  output: z.object({
    disabled: z.literal(true).describe('It leads nowhere now.'),
    id: z.string().describe('The link.'),
  }),
  errors: ['NOT_FOUND'],
  find: async (ctx, { linkId }) => present(await findJoinLink(ctx.db, ctx.scope, linkId), joinLinkKind),
  handler: async (ctx, { linkId }, found) => {
    await ctx.write(
      async (tx) => {
        const revoked = await revokeJoinLink(tx, ctx.scope, { id: linkId, now: ctx.now });
        if (!revoked) throw notFound(joinLinkKind);
      },
      { resourceId: linkId, changes: { slug: { from: found.slug, to: null } } },
    );
    return { disabled: true as const, id: linkId };
  },
});
