import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { SellerAbilities } from '../../sellers/abilities.ts';
import type { Known } from '../../sellers/heard.ts';
import { saidIn } from '../../targeting/combined.ts';
import { undeclaredIn, undeclaredParts } from '../../targeting/declared.ts';
import { targetingNow } from '../choice/package-lines.ts';
import { targetingFor } from '../choice/targeting.ts';
import type { Unsupported } from './change-capabilities.ts';
import type { Planned } from './change-standing.ts';
import { isSaidAlready } from './change-targeting.ts';

/**
 * What changes tell sellers of whom to reach, and these do not declare: with each targeting of a package and with
 * each further package goes what the campaign asks for. A change that adds neither is not held against what its
 * seller declares by now. Pure.
 */

interface Beside {
  readonly campaign: Pick<CampaignRow, 'constraints'>;
  readonly known: Known<SellerAbilities>;
}

type Declared = SellerAbilities['targeting'];
type Found = Pick<Unsupported, 'productId' | 'field' | 'reason'>;

/** All of it for one media buy, each once. */
export function undeclaredTargeting(planned: Planned, { campaign, known }: Beside): Unsupported[] {
  // Who has left, or changes nothing at all, is refused for that.
  if (known === 'gone' || known === 'unknown' || !known.updates) return [];
  const { id: mediaBuyId, agent_id: salesAgentId } = planned.buy;
  const found = [
    ...ofPackages(planned, known.targeting),
    ...ofNewPackages(planned, targetingFor(campaign), known.targeting),
  ];
  const each = new Map(found.map((one) => [`${one.productId} ${one.field}`, one]));
  return [...each.values()].map((one) => ({ mediaBuyId, salesAgentId, ...one }));
}

/** Another targeting: what of it the caller said, and what goes with it. */
function ofPackages({ buy, wanted, terms }: Planned, declared: Declared): Found[] {
  const products = fromJson(buy.products);
  const before = fromJson(buy.packages);
  return (wanted.packages ?? []).flatMap(({ packageId, targetingOverlay = {} }, index) => {
    const told = terms.asked.packages?.find(({ package_id }) => package_id === packageId)?.targeting_overlay;
    const part = before.find(({ package_id }) => package_id === packageId);
    const own = saidIn(targetingOverlay);
    if (told === undefined || part === undefined || isSaidAlready(own, targetingNow(products, part)))
      return [];
    const said = undeclaredIn(own, declared);
    const beside = undeclaredIn(told, declared).filter(
      ({ field }) => !said.some((one) => one.field === field),
    );
    return [
      ...said.map(({ field, reason }) => ({
        field: wanted.called(`packages.${index}.targetingOverlay.${field}`),
        reason,
      })),
      ...beside.map(asConstraint),
    ];
  });
}

/** Further packages: what the campaign asks for, and what the products were chosen with. */
function ofNewPackages(
  { terms }: Planned,
  campaign: ReturnType<typeof targetingFor>,
  declared: Declared,
): Found[] {
  return (terms.asked.newPackages ?? []).flatMap(
    ({ product_id: productId, targeting_overlay: told = {} }) => {
      const { ofCampaign, ofChoice } = undeclaredParts(told, campaign, declared);
      return [
        ...ofCampaign.map(asConstraint),
        ...ofChoice.map(({ field, reason }) => ({ productId, field: `targetingOverlay.${field}`, reason })),
      ];
    },
  );
}

function asConstraint({ field, reason }: Found): Found {
  return { field: `constraints.${field}`, reason };
}
