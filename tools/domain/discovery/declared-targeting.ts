import type { CampaignRow } from '../../../store/campaigns.ts';
import type { Context } from '../../core/context.ts';
import type { UndeclaredTargeting } from '../../core/errors/change-refusals.ts';
import {
  type KnownSellers,
  orderRefusal,
  sellersKnown,
  type Targeted,
  undeclaredBy,
} from '../buying/changes/undeclared-targeting.ts';
import { type Stage, stageOf } from '../buying/ways-out.ts';
import type { Undeclared } from '../targeting/declared.ts';

/** Choices that their sellers cannot target: by what is chosen, or by what the campaigns say that are to buy it. */

interface Chosen {
  readonly chosen: readonly Targeted[];
  /** The campaigns that are to buy the choice. */
  readonly drafts: readonly Pick<CampaignRow, 'constraints' | 'status'>[];
}

/** What the constraints of a campaign are called where they are refused, and what can still be corrected. */
interface Called {
  readonly constraints?: string | undefined;
  readonly stage?: Stage | undefined;
}

/** Says nothing of whom to reach: what a choice asks for is its own. */
const NO_CAMPAIGN = { constraints: null };

/** Refuses choices with a targeting that their sellers do not declare, all of it at once. */
export async function requireDeclared(
  ctx: Context,
  { chosen, drafts }: Chosen,
  {
    placeOf = (index) => `products.${index}`,
    ...called
  }: Called & { readonly placeOf?: (index: number) => string } = {},
): Promise<void> {
  const known = await sellersKnown(ctx, chosen, drafts);
  const unsupported = chosen.flatMap((row, index) => [
    ...told(row, `${placeOf(index)}.targetingOverlay`, undeclaredBy(row, NO_CAMPAIGN, known).ofChoice),
    ...told(row, called.constraints, undeclaredConstraints(row, drafts, known)),
  ]);
  refuse(unsupported, { drafts, ...called });
}

/** Refuses to tie a campaign to a choice, some of which is sold by who does not declare what the campaign asks for. */
export async function requireTargetable(
  ctx: Context,
  { chosen, drafts }: Chosen,
  called: Called,
): Promise<void> {
  const known = await sellersKnown(ctx, chosen, drafts);
  const unsupported = chosen.flatMap((row) =>
    told(row, called.constraints, undeclaredConstraints(row, drafts, known)),
  );
  refuse(unsupported, { drafts, ...called });
}

function told(
  { product_id: productId, agent_id: salesAgentId }: Targeted,
  place = 'constraints',
  missing: readonly Undeclared[] = [],
): UndeclaredTargeting[] {
  return missing.map(({ field, reason }) => ({
    productId,
    salesAgentId,
    field: `${place}.${field}`,
    reason,
  }));
}

function refuse(
  unsupported: readonly UndeclaredTargeting[],
  { drafts: [draft], stage = stageOf(draft ?? {}) }: Called & Pick<Chosen, 'drafts'>,
): void {
  const refused = orderRefusal(unsupported, stage);
  if (refused !== undefined) throw refused;
}

/** The products among them that a seller cannot target for the campaigns, each with the reason. */
export async function undeclaredChoices(
  ctx: Context,
  { chosen, drafts }: Chosen,
): Promise<ReadonlyMap<Targeted, string>> {
  const known = await sellersKnown(ctx, chosen, drafts);
  return new Map(
    chosen.flatMap((row) => {
      const [first] = undeclaredConstraints(row, drafts, known);
      return first === undefined ? [] : [[row, `constraints.${first.field}: ${first.reason}`] as const];
    }),
  );
}

/**
 * A choice that is made for campaigns of what sellers can target for them. Only those are asked of whom something
 * would be chosen: the choice is made again without whoever turns out not to be able.
 */
export async function targetableFor<
  Made extends { readonly choices: readonly { readonly productId: string; readonly salesAgentId: string }[] },
>(ctx: Context, drafts: Chosen['drafts'], madeWithout: (unable: ReadonlySet<string>) => Made): Promise<Made> {
  let unable: readonly string[] = [];
  for (;;) {
    const made = madeWithout(new Set(unable));
    const chosen = made.choices.map(({ productId, salesAgentId }) => ({
      product_id: productId,
      agent_id: salesAgentId,
      targeting_overlay: null,
    }));
    const undeclared = await undeclaredChoices(ctx, { chosen, drafts });
    if (undeclared.size === 0) return made;
    unable = [...unable, ...[...undeclared.keys()].map(({ agent_id }) => agent_id)];
  }
}

/** Each field once, however many campaigns ask for it. */
function undeclaredConstraints(row: Targeted, drafts: Chosen['drafts'], known: KnownSellers): Undeclared[] {
  const all = drafts.flatMap((draft) => undeclaredBy(row, draft, known).ofCampaign);
  return all.filter(({ field }, index) => all.findIndex((one) => one.field === field) === index);
}
