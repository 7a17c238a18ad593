import { z } from 'zod';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { insertCampaign } from '../../../store/campaigns.ts';
import { listSelections } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { invalid } from '../../core/errors/refusals.ts';
import { throwTogether } from '../../core/errors/told-together.ts';
import { requireActive, requireStillActive } from '../../domain/advertisers/active.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { requireOpenProducts } from '../../domain/buying/choice/closed-sellers.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { campaignElsewhere } from '../../domain/campaigns/fields-elsewhere.ts';
import { writeChoice } from '../../domain/discovery/choosing/choice-writing.ts';
import { type Chosen, choose } from '../../domain/discovery/choosing/choose.ts';
import { prefixedId } from '../../domain/ids.ts';
import { shortText } from '../../domain/text.ts';
import { exampleFlight } from '../../domain/time.ts';
import { attachable } from './attachment.ts';
import { requireStorefronts } from './campaign-columns.ts';
import {
  fixesCurrency,
  keepCurrency,
  newCampaign,
  newCampaignFields,
  problemsOfNew,
  requireFitting,
} from './new-campaign.ts';
import { campaignRecord } from './record.ts';
import { campaign, campaignNotBuilt, campaignSpellings } from './schema.ts';

const input = z.strictObject({
  ...newCampaignFields,
  discoveryId: prefixedId('the discovery session whose choice it buys', 'disc_').optional(),
  productIds: z
    .array(shortText(255))
    .max(100)
    .optional()
    .describe('Products of the session to choose as well.'),
});

export const campaignCreate = defineTool({
  name: 'campaign_create',
  title: 'Create campaign',
  example: {
    advertiserId: 1,
    name: 'Spring launch',
    budget: { total: 1_000 },
    flightDates: exampleFlight,
    discoveryId: 'disc_example',
  },
  description:
    'Creates a draft campaign: name, budget and flight dates for an advertiser. With a discoveryId it buys the ' +
    'products chosen in that session. Nothing is spent before campaign_execute. Returns the campaign; warnings ' +
    'say what would stop it.',
  effect: 'create',
  // What is chosen in the session is held against what its sellers declare, and they are asked.
  inSteps: { by: 'discoveryId' },
  audit: { kind: campaignKind, ofResult: ({ campaign: made }) => made.campaignId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/campaigns', status: 201 },
  input,
  spellings: campaignSpellings,
  notBuilt: ['mode=directed', ...campaignNotBuilt],
  elsewhere: campaignElsewhere,
  output: z.object({ campaign: campaign.describe('The campaign.') }),
  errors: ['NOT_FOUND', 'CURRENCY_MISMATCH', 'CONFLICT', 'CAPABILITY_NOT_SUPPORTED'],
  find: async (ctx, request) => {
    const { advertiserId, discoveryId, storefrontIds = [] } = request;
    const advertiser = await reachAdvertiser(ctx, advertiserId);
    const session = discoveryId === undefined ? undefined : await attachable(ctx, discoveryId, advertiser);
    await requireStorefronts(ctx, storefrontIds, () => problemsOf(request, advertiser, ctx.now));
    return { advertiser, session };
  },
  handler: async (ctx, request, { advertiser, session }) => {
    requireActive(advertiser);
    throwTogether(problemsOf(request, advertiser, ctx.now));
    const draft = newCampaign(ctx, request, advertiser);
    const chosen = await newlyChosen(ctx, request.productIds ?? [], session);
    await requireFitting(ctx, draft, chosen);

    const row = await ctx.write(
      async (tx) => {
        await requireStillActive(tx, ctx, { id: advertiser.id, isToChange: fixesCurrency(advertiser) });
        if (session !== undefined && chosen.length > 0) {
          await writeChoice(ctx, tx, { session, put: chosen });
        }
        await keepCurrency(ctx, tx, advertiser);
        return insertCampaign(tx, ctx.scope, draft);
      },
      ({ id, name }) => ({ resourceId: id, resourceName: name, advertiserId: advertiser.id }),
    );

    return { campaign: await campaignRecord(ctx, row) };
  },
});

function problemsOf(
  request: z.output<typeof input>,
  advertiser: AdvertiserRow,
  now: string,
): readonly AppError[] {
  const problems = problemsOfNew(request, advertiser, now);
  const { productIds = [], discoveryId } = request;
  if (productIds.length === 0 || discoveryId !== undefined) return problems;
  const message = 'They are products of a discovery session: give its discoveryId as well.';
  return [...problems, invalid('productIds', message)];
}

/**
 * The products that are named and were not chosen yet: one chosen before keeps its price and its budget. All that are
 * named are refused where their seller takes no orders at present.
 */
async function newlyChosen(
  ctx: Context,
  productIds: readonly string[],
  session: DiscoverySessionRow | undefined,
): Promise<readonly Chosen[]> {
  if (productIds.length === 0 || session === undefined) return [];
  const before = await listSelections(ctx.db, ctx.scope, session.id);
  const placeOf = (productId: string) => `productIds.${productIds.indexOf(productId)}`;
  const names = [...new Set(productIds)];
  const wanted = names.filter((id) => before.every((one) => one.product_id !== id));
  const choices = wanted.map((productId) => ({
    productId,
    isIdAlone: true as const,
    calledAs: () => placeOf(productId),
  }));
  const chosen = await choose(ctx, session, choices);
  const named = names.flatMap((id) => [...before, ...chosen].filter((one) => one.product_id === id));
  await requireOpenProducts(
    ctx,
    named.map((product) => ({ path: placeOf(product.product_id), product })),
  );
  return chosen;
}
