import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow, Targeting } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { contradicts } from '../../../core/errors/refusals.ts';
import { nobodyIn, withinCountries } from '../../campaigns/areas.ts';
import { type Placed, targetingOf } from '../../campaigns/constraints.ts';
import { combined, type Emptied } from '../../targeting/combined.ts';
import { outsideProduct } from '../../targeting/products.ts';
import { otherConstraints, otherTermsOrTargeting, type Stage } from '../ways-out.ts';

/** Whom every product of a campaign is to reach. */
export function targetingFor({ constraints }: Pick<CampaignRow, 'constraints'>): Targeting {
  return constraints === null ? {} : targetingOf(fromJson(constraints));
}

/** Where the targeting of a choice leaves nobody that the campaign is to reach. */
export function overlayProblems(
  overlay: Targeting,
  campaign: Pick<CampaignRow, 'constraints'>,
): readonly Emptied[] {
  return combined(targetingFor(campaign), overlay).emptied;
}

/**
 * Where a choice and its campaign leave nobody of those that a product reaches. What is told of either is not told
 * twice.
 */
export function outsideTogether(
  overlay: Targeting,
  campaign: Pick<CampaignRow, 'constraints'>,
  product: Placed,
): Emptied | undefined {
  const wide = targetingFor(campaign);
  const { targeting, emptied } = combined(wide, overlay);
  const isTold = emptied.length > 0 || outsideProduct(wide, product, wide) !== undefined;
  return isTold ? undefined : outsideProduct(overlay, product, targeting);
}

/** A campaign that leaves nobody by itself: those that were stored before this was refused. */
export function nobodyProblems(campaign: Pick<CampaignRow, 'constraints'>, stage: Stage): AppError[] {
  const wanted = targetingFor(campaign);
  return withinCountries(wanted).emptied.map((field) =>
    contradicts(`constraints.${field}`, nobodyIn(wanted, field), { suggestion: otherConstraints(stage) }),
  );
}

/** Where a choice leaves nobody, when the campaign is about to order. */
export function targetingProblems(
  { product, targeting_overlay }: Pick<DiscoverySelectionRow, 'product' | 'targeting_overlay'>,
  campaign: Pick<CampaignRow, 'constraints'>,
  stage: Stage,
): AppError[] {
  if (targeting_overlay === null) return [];
  const chosen = fromJson(product);
  const overlay = fromJson(targeting_overlay);
  const outside = outsideTogether(overlay, campaign, chosen);
  const all = [...overlayProblems(overlay, campaign), ...(outside === undefined ? [] : [outside])];
  return all.map(({ field, message }) =>
    contradicts(`constraints.${field}`, `${message} The targeting of ${chosen.name} goes beyond.`, {
      suggestion: otherTermsOrTargeting(stage),
    }),
  );
}
