import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { Targeting } from '../../../../store/discovery-selections.ts';
import { outsideTogether, overlayProblems } from '../../buying/choice/targeting.ts';
import type { Emptied } from '../../targeting/combined.ts';
import { outsideProduct } from '../../targeting/products.ts';
import type { Product } from '../schema.ts';

/** What is wrong with the targeting of a choice: nobody is left in the product, or in a campaign that is to buy it. */
export function targetingProblem(
  overlay: Targeting,
  product: Product,
  drafts: readonly CampaignRow[],
): Emptied | undefined {
  const [beyond] = drafts.flatMap((draft) => overlayProblems(overlay, draft));
  const [outside] = drafts.flatMap((draft) => outsideTogether(overlay, draft, product) ?? []);
  return beyond ?? outsideProduct(overlay, product) ?? outside;
}
