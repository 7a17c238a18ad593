import type { CampaignRow } from '../../../store/campaigns.ts';
import type { Flag } from '../../../store/engine/codec.ts';
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

/**
 * Choices that their sellers do not declare they can take: by what is chosen, by what the campaigns say that are to buy
 * it, or because it is for the sandbox.
 */

interface Chosen {
  readonly chosen: readonly Targeted[];
  /** The campaigns that are to buy the choice. */
  readonly drafts: readonly Draft[];
  /** 1: its session is of a sandbox advertiser, whether or not a campaign buys from it yet. */
  readonly sandbox: Flag;
}

type Draft = Pick<CampaignRow, 'constraints' | 'sandbox' | 'status'>;

/** What the constraints of a campaign are called where they are refused, and what can still be corrected. */
interface Called {
  readonly constraints?: string | undefined;
  readonly stage?: Stage | undefined;
}

/** Says nothing of whom to reach: what a choice asks for is its own. */
const nobodys = ({ sandbox }: Pick<Chosen, 'sandbox'>) => ({ constraints: null, sandbox });

function heardFor(ctx: Context, asked: Chosen): Promise<KnownSellers> {
  return sellersKnown(ctx, asked.chosen, [...asked.drafts, nobodys(asked)]);
}

/** Refuses choices with a targeting that their sellers do not declare, all of it at once. */
export async function requireDeclared(
  ctx: Context,
  asked: Chosen,
  {
    placeOf = (index) => `products.${index}`,
    ...called
  }: Called & { readonly placeOf?: (index: number) => string } = {},
): Promise<void> {
  const { chosen, drafts } = asked;
  const known = await heardFor(ctx, asked);
  const unsupported = chosen.flatMap((row, index) => {
    const { ofAccount, ofChoice } = undeclaredBy(row, nobodys(asked), known);
    return [
      ...told(row, undefined, ofAccount),
      ...told(row, `${placeOf(index)}.targetingOverlay`, ofChoice),
      ...told(row, called.constraints ?? 'constraints', undeclaredConstraints(row, drafts, known)),
    ];
  });
  refuse(unsupported, { drafts, ...called });
}

/** Refuses to tie a campaign to a choice, some of which is sold by who does not declare what the campaign asks for. */
export async function requireTargetable(ctx: Context, asked: Chosen, called: Called): Promise<void> {
  const { chosen, drafts } = asked;
  const known = await heardFor(ctx, asked);
  const unsupported = chosen.flatMap((row) => [
    ...told(row, undefined, undeclaredBy(row, nobodys(asked), known).ofAccount),
    ...told(row, called.constraints ?? 'constraints', undeclaredConstraints(row, drafts, known)),
  ]);
  refuse(unsupported, { drafts, ...called });
}

function told(
  { product_id: productId, agent_id: salesAgentId }: Targeted,
  place: string | undefined,
  missing: readonly Undeclared[],
): UndeclaredTargeting[] {
  return missing.map(({ field, reason }) => ({
    productId,
    salesAgentId,
    field: place === undefined ? field : `${place}.${field}`,
    reason,
  }));
}

function refuse(
  unsupported: readonly UndeclaredTargeting[],
  { drafts: [draft], stage = draft === undefined ? 'new' : stageOf(draft) }: Called & Pick<Chosen, 'drafts'>,
): void {
  const refused = orderRefusal(unsupported, stage);
  if (refused !== undefined) throw refused;
}

/** The products among them that a seller cannot take for the campaigns, each with the first reason. */
export async function undeclaredChoices(
  ctx: Context,
  asked: Chosen,
): Promise<ReadonlyMap<Targeted, Undeclared>> {
  const known = await heardFor(ctx, asked);
  return new Map(
    asked.chosen.flatMap((row) => {
      const [first] = [
        ...undeclaredBy(row, nobodys(asked), known).ofAccount,
        ...told(row, 'constraints', undeclaredConstraints(row, asked.drafts, known)),
      ];
      return first === undefined ? [] : [[row, first] as const];
    }),
  );
}

/**
 * A choice that is made for campaigns of what sellers can take for them. Only those are asked of whom something
 * would be chosen: the choice is made again without whoever turns out not to be able, and told why, by its agent.
 */
export async function targetableFor<
  Made extends { readonly choices: readonly { readonly productId: string; readonly salesAgentId: string }[] },
>(
  ctx: Context,
  bought: Omit<Chosen, 'chosen'>,
  madeWithout: (unable: ReadonlyMap<string, Undeclared>) => Made,
): Promise<Made> {
  let unable: ReadonlyMap<string, Undeclared> = new Map();
  for (;;) {
    const made = madeWithout(unable);
    const chosen = made.choices.map(({ productId, salesAgentId }) => ({
      product_id: productId,
      agent_id: salesAgentId,
      targeting_overlay: null,
    }));
    const undeclared = await undeclaredChoices(ctx, { ...bought, chosen });
    if (undeclared.size === 0) return made;
    unable = new Map([...unable, ...[...undeclared].map(([{ agent_id }, why]) => [agent_id, why] as const)]);
  }
}

/** Each field once, however many campaigns ask for it. */
function undeclaredConstraints(row: Targeted, drafts: Chosen['drafts'], known: KnownSellers): Undeclared[] {
  const all = drafts.flatMap((draft) => undeclaredBy(row, draft, known).ofCampaign);
  return all.filter(({ field }, index) => all.findIndex((one) => one.field === field) === index);
}
