import type { CampaignRow } from '../../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../../store/discovery-selections.ts';
import { fromFlag, fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { placesOf } from '../../../core/errors/called-otherwise.ts';
import { targetingNotSupported, type UndeclaredTargeting } from '../../../core/errors/change-refusals.ts';
import { productNameOf } from '../../product-name.ts';
import type { SellerDeclaration } from '../../sellers/abilities.ts';
import { declaredBefore } from '../../sellers/declarations.ts';
import { declarationsOf, type Known } from '../../sellers/heard.ts';
import { combined } from '../../targeting/combined.ts';
import { type Parted, type Undeclared, undeclaredParts } from '../../targeting/declared.ts';
import { asOne } from '../choice/choice-problems.ts';
import { targetingFor } from '../choice/targeting.ts';
import { otherSellerOrAdvertiser, otherTermsOrDrop, type Stage } from '../ways-out.ts';
import { anotherMajorWarnings } from './other-majors.ts';
import { isSandboxMissing, undeclaredSandbox } from './undeclared-sandbox.ts';

/** What an order would tell its seller of whom to reach, or for whom it is, and the seller does not declare. */

/** A product that is chosen, as far as whom it is to reach. */
export type Targeted = Pick<DiscoverySelectionRow, 'product_id' | 'agent_id' | 'targeting_overlay'>;
/** The same where it is spoken of. */
type Warned = Targeted & Pick<DiscoverySelectionRow, 'product'>;
type Campaign = Pick<CampaignRow, 'constraints' | 'sandbox'>;

/** What sellers were found to declare; one that is not among them was not asked. */
export type KnownSellers = ReadonlyMap<string, Known<SellerDeclaration>>;

/**
 * Asks the sellers of a choice what they declare, where campaigns or choices say whom to reach, and for the
 * sandbox; and those that nobody ever heard, which may speak another version: in no transaction.
 */
export async function sellersKnown(
  ctx: Context,
  choices: readonly Targeted[],
  campaigns: readonly Campaign[],
): Promise<KnownSellers> {
  const all = choices.map(({ agent_id }) => agent_id);
  const before = await declaredBefore(ctx.db, all);
  const unheard = all.filter((id) => !before.has(id));
  const concerned = sellersConcerned(choices, campaigns);
  return declarationsOf(ctx, [...concerned, ...unheard], isForSandbox(campaigns));
}

/** The same of all sellers that something would be ordered at: which versions they speak concerns each order. */
export function sellersToOrderAt(
  ctx: Context,
  choices: readonly Targeted[],
  campaign: Campaign,
): Promise<KnownSellers> {
  const all = choices.map(({ agent_id }) => agent_id);
  return declarationsOf(ctx, all, isForSandbox([campaign]));
}

/** Whether sellers keep sandbox accounts decides what an order is: what was known before is not enough. */
function isForSandbox(campaigns: readonly Campaign[]): boolean {
  return campaigns.some(({ sandbox }) => fromFlag(sandbox));
}

function sellersConcerned(choices: readonly Targeted[], campaigns: readonly Campaign[]): string[] {
  const all = isForSandbox(campaigns) || campaigns.some((one) => Object.keys(targetingFor(one)).length > 0);
  const concerned = choices.filter(({ targeting_overlay }) => all || targeting_overlay !== null);
  return concerned.map(({ agent_id }) => agent_id);
}

/** The same before orders of a campaign are made: of its choice, and without one of what it ordered before. */
export async function sellersOfOrders(
  ctx: Context,
  campaign: CampaignRow,
  unstored: readonly Targeted[] = [],
): Promise<KnownSellers> {
  const { discovery_id: id } = campaign;
  const stored = id === null ? [] : await listSelections(ctx.db, ctx.scope, id);
  const chosen = [...stored, ...unstored];
  if (chosen.length > 0) return sellersToOrderAt(ctx, chosen, campaign);
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  return sellersToOrderAt(ctx, asChosen(buys), campaign);
}

/** What was ordered, in place of what is chosen. */
export function asChosen(buys: readonly MediaBuyRow[]): Targeted[] {
  return buys.flatMap(({ agent_id, products }) =>
    fromJson(products).map(({ product_id, targeting_overlay: overlay }) => ({
      agent_id,
      product_id,
      targeting_overlay: overlay === undefined ? null : toJson(overlay),
    })),
  );
}

interface Missing extends Parted {
  /** What the account of its advertiser needs. */
  readonly ofAccount: readonly Undeclared[];
}

const NOTHING: Missing = { ofAccount: [], ofCampaign: [], ofChoice: [] };

/** What an order of this product would ask for beyond what its seller declares. Who cannot be asked passes. Pure. */
export function undeclaredBy(
  { agent_id, targeting_overlay: overlay }: Targeted,
  campaign: Campaign,
  known: KnownSellers,
): Missing {
  const seller = known.get(agent_id) ?? 'unknown';
  if (seller === 'gone' || seller === 'unknown') return NOTHING;
  const wide = targetingFor(campaign);
  const { targeting } = combined(wide, overlay === null ? {} : fromJson(overlay));
  return {
    ...undeclaredParts(targeting, wide, seller.targeting),
    ofAccount: undeclaredSandbox(campaign, seller),
  };
}

interface Ordering {
  readonly campaign: Campaign;
  readonly known: KnownSellers;
  /** The orders in whose place it goes out. */
  readonly before?: readonly Pick<MediaBuyRow, 'id' | 'agent_id'>[];
}

/** The same of all that a campaign would order, as refusals tell it. Pure. */
export function undeclaredFor(
  choices: readonly Targeted[],
  { campaign, known, before = [] }: Ordering,
): UndeclaredTargeting[] {
  return choices.flatMap((row) => {
    const { ofAccount, ofCampaign, ofChoice } = undeclaredBy(row, campaign, known);
    const buy = before.find(({ agent_id }) => agent_id === row.agent_id);
    const ids = {
      ...(buy === undefined ? {} : { mediaBuyId: buy.id }),
      productId: row.product_id,
      salesAgentId: row.agent_id,
    };
    return [
      ...ofAccount.map((one) => ({ ...ids, ...one })),
      ...ofCampaign.map(({ field, reason }) => ({ ...ids, field: `constraints.${field}`, reason })),
      ...ofChoice.map(({ field, reason }) => ({ ...ids, field: `targetingOverlay.${field}`, reason })),
    ];
  });
}

const OTHER_OVERLAY =
  'Leave out of targetingOverlay what the seller does not declare, or choose other products.';

/** One refusal for all of it, and for whatever else stands against the same orders; undefined where nothing does. */
export function orderRefusal(
  unsupported: readonly UndeclaredTargeting[],
  stage: Stage,
  problems: readonly AppError[] = [],
): AppError | undefined {
  if (unsupported.length === 0) return asOne(problems);
  const isOfChoice = ({ field }: UndeclaredTargeting) => /(^|\.)targetingOverlay\./.test(field);
  const isOfCampaign = (one: UndeclaredTargeting) => !isOfChoice(one) && !isSandboxMissing(one);
  const suggestion = [
    ...(unsupported.some(isSandboxMissing) ? [otherSellerOrAdvertiser(stage)] : []),
    ...(unsupported.some(isOfCampaign) ? [otherTermsOrDrop(stage, 'constraints')] : []),
    ...(unsupported.some(isOfChoice) ? [OTHER_OVERLAY] : []),
  ].join(' ');
  return targetingNotSupported(unsupported, { suggestion, others: problems.flatMap(placesOf) });
}

/**
 * In words, for drafts that can still be corrected, by what sellers declared when they were last asked: whoever reads
 * waits for none of them.
 */
export async function undeclaredWarnings(
  db: Db,
  chosen: readonly Warned[],
  drafts: readonly Campaign[],
): Promise<string[]> {
  if (chosen.length === 0 || drafts.length === 0) return [];
  const known = await declaredBefore(
    db,
    chosen.map(({ agent_id }) => agent_id),
  );
  const all = drafts.flatMap((campaign) =>
    chosen.flatMap((row) =>
      undeclaredFor([row], { campaign, known }).map((missing) => asWarning(row, missing)),
    ),
  );
  return [...anotherMajorWarnings(chosen, known), ...new Set(all)];
}

function asWarning({ product }: Warned, missing: Undeclared): string {
  const asked = isSandboxMissing(missing) ? 'for a sandbox advertiser' : `with ${missing.field}`;
  return `${productNameOf(fromJson(product))} cannot be bought ${asked}: ${missing.reason}`;
}

/** Has it said anew of a draft, where an update gave that other constraints or another choice. */
export async function askUndeclared(
  ctx: Context,
  campaign: CampaignRow,
  set: Partial<CampaignRow>,
): Promise<void> {
  const { discovery_id: id, status } = campaign;
  const isOther = 'constraints' in set || 'discovery_id' in set;
  if (id === null || status !== 'DRAFT' || !isOther) return;
  await sellersKnown(ctx, await listSelections(ctx.db, ctx.scope, id), [campaign]);
}
