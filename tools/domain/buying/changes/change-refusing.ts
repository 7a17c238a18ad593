import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { placesOf } from '../../../core/errors/called-otherwise.ts';
import { capabilityNotSupported, versionUnsupported } from '../../../core/errors/change-refusals.ts';
import type { SellerAbilities } from '../../sellers/abilities.ts';
import { type Known, speaksAnother } from '../../sellers/heard.ts';
import { asOne } from '../choice/choice-problems.ts';
import { type Unsupported, unsupportedIn } from './change-capabilities.ts';
import type { Planned } from './change-standing.ts';
import { undeclaredTargeting } from './change-undeclared.ts';
import { againstAnotherMajor } from './other-majors.ts';
import type { Terms } from './wanted-change.ts';

/** One refusal for all that stands against changes, with what their sellers do not declare. Pure. */

interface Declared {
  readonly campaign: Pick<CampaignRow, 'constraints'>;
  readonly sent: readonly Planned[];
  readonly known: ReadonlyMap<string, Known<SellerAbilities>>;
  /** What the products bought do not declare. */
  readonly undeclared: readonly Unsupported[];
  /** All that is to be changed. */
  readonly planned: readonly Planned[];
}

export function changesRefused(problems: readonly AppError[], declared: Declared): AppError | undefined {
  const others = declared.planned.flatMap(({ wanted: { remade } }) => remade?.anotherMajor ?? []);
  const refused = refusedOtherwise(problems, declared);
  return againstAnotherMajor(others, 'remade', refused);
}

function refusedOtherwise(
  problems: readonly AppError[],
  { campaign, sent, known, undeclared }: Declared,
): AppError | undefined {
  const seller = ({ buy }: Planned) => known.get(buy.agent_id) ?? 'unknown';
  const another = sent.filter((one) => speaksAnother(seller(one)));
  const unsupported = sent
    .filter((one) => reachesSeller(one.terms) && !another.includes(one))
    .flatMap((one) => {
      const { buy, wanted, terms } = one;
      const found = unsupportedIn(buy, { wanted, asked: terms.asked, known: seller(one) });
      return [...found, ...undeclaredTargeting(one, { campaign, known: seller(one) })];
    });
  unsupported.push(...undeclared);
  if (another.length > 0)
    return versionUnsupported(another.map(({ buy }) => ({ mediaBuyId: buy.id, salesAgentId: buy.agent_id })));
  if (unsupported.length > 0) return capabilityNotSupported(unsupported, problems.flatMap(placesOf));
  return asOne(problems);
}

/** Whether the seller is to hear of it: a name is ours alone. */
export function reachesSeller({ asked }: Terms): boolean {
  return Object.keys(asked).length > 0;
}
