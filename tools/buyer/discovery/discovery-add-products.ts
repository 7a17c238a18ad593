import { z } from 'zod';
import type { CampaignRow } from '../../../store/campaigns.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { staleWrite } from '../../core/errors/refusals.ts';
import { turn } from '../../core/event-loop-turn.ts';
import { holdAsRead } from '../../domain/buying/campaign-holding.ts';
import { requireOpenSellers } from '../../domain/buying/choice/closed-sellers.ts';
import { campaignKind, reachCampaign } from '../../domain/buying/reach.ts';
import { choiceLeft } from '../../domain/discovery/choosing/choice-left.ts';
import { writeChoice } from '../../domain/discovery/choosing/choice-writing.ts';
import { requireAll, tryChoices } from '../../domain/discovery/choosing/choose.ts';
import { requireDeclared } from '../../domain/discovery/declared-targeting.ts';
import { reachSession, requireInCurrency, sessionKind } from '../../domain/discovery/reach.ts';
import { discoveryId } from '../../domain/discovery/schema.ts';
import { attach, requireDraftOf } from '../../domain/discovery/sessions/open-session.ts';
import { readSelection } from '../../domain/discovery/showing/selection.ts';
import { selection } from '../../domain/discovery/showing/selection-schema.ts';
import { numericId, prefixedId } from '../../domain/ids.ts';
import { targetingNotBuilt, targetingOverlay } from '../../domain/targeting/overlay.ts';
import { shortText } from '../../domain/text.ts';

const choice = z.strictObject({
  productId: shortText(255).describe('Id of the product.'),
  salesAgentId: shortText(128).optional().describe('Needed when two sell the same id.'),
  storefrontId: numericId('the storefront that sells it', 'storefront').optional(),
  groupId: shortText(512).optional().describe('Group it was found in.'),
  groupName: shortText(512).optional().describe('Name of that group.'),
  pricingOptionId: shortText(255).optional().describe('How to buy it; the first unless given.'),
  bidPrice: z
    .number()
    .positive()
    .max(1e9)
    .optional()
    .describe('What to bid for a unit; needed in an auction.'),
  budget: z.number().positive().max(1e12).optional().describe('What it gets; without it the rest is shared.'),
  targetingOverlay: targetingOverlay.optional().describe('Whom it is to reach.'),
});

export const discoveryAddProducts = defineTool({
  name: 'discovery_add_products',
  title: 'Choose products',
  example: {
    discoveryId: 'disc_example',
    products: [{ productId: 'prod_example', salesAgentId: 'agent_example', budget: 100 }],
  },
  description:
    'Chooses products of a discovery session; a product chosen before gets the new price and budget. replace ' +
    'true drops the choices made before. With campaignId that draft is to buy the ' +
    'choice. Returns the whole choice. Go on with campaign_create and the discoveryId.',
  effect: 'update',
  // Sellers are asked what they declare.
  inSteps: true,
  audit: { kind: sessionKind, ofInput: ({ discoveryId }) => discoveryId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/discovery/{discoveryId}/products' },
  input: z.strictObject({
    discoveryId,
    products: z.array(choice).min(1).max(100).describe('The products to choose.'),
    campaignId: prefixedId('a draft campaign that is to buy them', 'cmp_').optional(),
    replace: z.boolean().default(false).describe('True drops the choices made before.'),
  }),
  notBuilt: [
    'products[].inventorySourceId',
    'products[].selectionId',
    ...targetingNotBuilt.map((field) => `products[].targetingOverlay.${field}`),
    'products[].pageId',
    'products[].pixelId',
  ],
  output: selection,
  errors: ['NOT_FOUND', 'CONFLICT', 'CURRENCY_MISMATCH', 'CAPABILITY_NOT_SUPPORTED'],
  find: async (ctx, { discoveryId, campaignId }) => ({
    session: await reachSession(ctx, discoveryId),
    draft: campaignId === undefined ? undefined : await reachCampaign(ctx, campaignId),
  }),
  handler: async (ctx, input, { session, draft }) => {
    if (draft !== undefined) requireDraftOf({ id: session.advertiser_id }, draft);
    await requireInCurrency(ctx, session);
    const tried = await tryChoices(ctx, { session, choices: input.products, draft, eachOnce: true });
    const chosen = requireAll(tried);
    await requireOpenSellers(ctx, chosen);
    await requireDeclared(ctx, tried);
    const left = await choiceLeft(ctx, { draft, sessionId: session.id });

    const { selected } = await ctx.write(
      async (tx) => {
        if (draft !== undefined && draft.discovery_id !== session.id) {
          await attach(ctx, tx, { campaign: await holdAsRead(ctx, tx, draft), session });
        }
        await turn();
        const choice = await writeChoice(ctx, tx, {
          session,
          put: chosen,
          drop: input.replace ? null : undefined,
          requires: draft && ((buyers) => requireHeldDraft(draft, buyers)),
        });
        return { choice, selected: await readSelection(ctx, tx, { session, always: left }) };
      },
      ({ choice }) => ({
        resourceId: session.id,
        advertiserId: session.advertiser_id,
        changes: choice.changes,
      }),
    );
    return selected;
  },
});

/** Whether it is a draft is asked once it is held: for what was bought meanwhile nothing is chosen. */
function requireHeldDraft(draft: CampaignRow, buyers: readonly CampaignRow[]): void {
  const held = buyers.find(({ id }) => id === draft.id);
  if (held === undefined) throw staleWrite(campaignKind);
  requireDraftOf({ id: held.advertiser_id }, held);
}
