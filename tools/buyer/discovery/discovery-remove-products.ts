import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { writeChoice } from '../../domain/discovery/choosing/choice-writing.ts';
import { reachSession, sessionKind } from '../../domain/discovery/reach.ts';
import { discoveryId } from '../../domain/discovery/schema.ts';
import { readSelection } from '../../domain/discovery/showing/selection.ts';
import { selection } from '../../domain/discovery/showing/selection-schema.ts';
import { shortText } from '../../domain/text.ts';

export const discoveryRemoveProducts = defineTool({
  name: 'discovery_remove_products',
  title: 'Drop chosen products',
  example: { discoveryId: 'disc_example', productIds: ['prod_example'] },
  description:
    'Takes products out of the choice of a discovery session; those that were not chosen are passed over. ' +
    'Returns what is left of the choice.',
  effect: 'delete',
  unlisted: true,
  audit: { kind: sessionKind, ofInput: ({ discoveryId }) => discoveryId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'DELETE', path: '/discovery/{discoveryId}/products' },
  input: z.strictObject({
    discoveryId,
    productIds: z.array(shortText(255)).min(1).max(100).describe('The products to drop.'),
  }),
  output: selection,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachSession(ctx, input.discoveryId),
  handler: async (ctx, input, session) => {
    const { left } = await ctx.write(
      async (tx) => ({
        choice: await writeChoice(ctx, tx, { session, drop: input.productIds }),
        left: await readSelection(ctx, tx, { session }),
      }),
      // Nothing is logged where nothing was chosen.
      ({ choice: { dropped, changes } }) =>
        dropped === 0 ? undefined : { resourceId: session.id, advertiserId: session.advertiser_id, changes },
    );
    return left;
  },
});
