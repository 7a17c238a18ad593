import type { CampaignRow } from '../../../store/campaigns.ts';
import type { DiscoverySelectionRow, Targeting } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { contradicts } from '../../core/errors/refusals.ts';
import { targetingOf } from '../campaigns/constraints.ts';
import { combined, type Emptied } from '../targeting/combined.ts';
import { otherTermsOrTargeting, type Stage } from './ways-out.ts';

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

/** The same once it is chosen, when the campaign is about to order. */
export function targetingProblems(
  { product, targeting_overlay }: Pick<DiscoverySelectionRow, 'product' | 'targeting_overlay'>,
  campaign: Pick<CampaignRow, 'constraints'>,
  stage: Stage,
): AppError[] {
  if (targeting_overlay === null) return [];
  const { name } = fromJson(product);
  return overlayProblems(fromJson(targeting_overlay), campaign).map(({ field, message }) =>
    contradicts(`constraints.${field}`, `${message} The targeting of ${name} goes beyond.`, {
      suggestion: otherTermsOrTargeting(stage),
    }),
  );
}
