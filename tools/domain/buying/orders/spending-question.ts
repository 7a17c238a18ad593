import type { CampaignRow } from '../../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../../store/discovery-selections.ts';
import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { covers, type Question } from '../../../core/consent.ts';
import type { Context } from '../../../core/context.ts';
import { type Named, namesApart } from '../../../core/errors/names-apart.ts';
import { changedWhileAsked } from '../../../core/errors/refusals.ts';
import { reachAdvertiser } from '../../advertisers/reach.ts';
import { counted } from '../../counted.ts';
import { readMoney } from '../../money.ts';
import { boundedText } from '../../text.ts';
import { ofAnotherMajor } from '../changes/other-majors.ts';
import { sellersToOrderAt, undeclaredFor } from '../changes/undeclared-targeting.ts';
import { ahead, planOf } from '../choice/allocation.ts';
import { problemsOf } from '../choice/choice-problems.ts';
import { closedSellers } from '../choice/closed-sellers.ts';
import { feesFor } from '../choice/fees.ts';
import { accountsTakenBack } from './order-accounts.ts';

const NAME_MAX = 120;
const SELLERS_NAMED = 10;

/**
 * What a person is asked before a campaign spends for the first time. Undefined in the sandbox, where the campaign
 * has spent before, and where its choice cannot be bought anyway.
 */
export async function spendingQuestion(ctx: Context, campaign: CampaignRow): Promise<Question | undefined> {
  const { discovery_id: discoveryId, status } = campaign;
  if (status !== 'DRAFT' || discoveryId === null) return undefined;
  const selections = await listSelections(ctx.db, ctx.scope, discoveryId);
  if (await isBeyondSellers(ctx, campaign, selections)) return undefined;
  if ((await closedSellers(ctx, selections)).length > 0) return undefined;
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  if ((await accountsTakenBack(ctx, advertiser, selections)).length > 0) return undefined;
  return questionOf(ctx, campaign, selections);
}

/** Whether sellers declare too little for the orders, or speak another version. Asks sellers: in no transaction. */
async function isBeyondSellers(
  ctx: Context,
  campaign: Pick<CampaignRow, 'constraints' | 'sandbox'>,
  selections: readonly DiscoverySelectionRow[],
): Promise<boolean> {
  const known = await sellersToOrderAt(ctx, selections, campaign);
  return (
    undeclaredFor(selections, { campaign, known }).length > 0 ||
    ofAnotherMajor(selections, known, []).length > 0
  );
}

/**
 * That what a person said yes to is what is bought, and no more of it: asked in the transaction that buys it, with the
 * campaign held. Nobody was asked where nothing was confirmed.
 */
export async function requireConfirmed(
  tx: Db,
  ctx: Context,
  { campaign, isNew = false }: { campaign: CampaignRow; isNew?: boolean | undefined },
): Promise<void> {
  const { confirmed, scope, sandboxOnly, now } = ctx;
  if (confirmed === undefined) return;
  const { discovery_id: id } = campaign;
  const selections = id === null ? [] : await listSelections(tx, scope, id);
  const asked = { ...campaign, id: isNew ? undefined : campaign.id };
  const question = await questionOf({ db: tx, scope, sandboxOnly, now }, asked, selections);
  if (!covers(confirmed, question)) {
    throw changedWhileAsked({ confirmed: confirmed.text, now: question?.text ?? null });
  }
}

/** A campaign that is yet to be made has no id that holds: the question would be another each time it is asked. */
type Asked = Omit<CampaignRow, 'id'> & { readonly id?: string | undefined };

/** The same of a choice that may not be stored yet. */
export async function questionOf(
  ctx: Pick<Context, 'db' | 'scope' | 'sandboxOnly' | 'now'>,
  campaign: Asked,
  selections: readonly DiscoverySelectionRow[],
): Promise<Question | undefined> {
  const { currency, id } = campaign;
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  if (fromFlag(advertiser.sandbox)) return undefined;
  const terms = ahead(campaign, ctx.now);
  if (selections.length === 0) return undefined;
  const fees = await feesFor(ctx, advertiser);
  if (problemsOf(terms, selections, { fees }).length > 0) return undefined;
  const { allocated } = planOf(terms, selections);
  const sellers = [...namesApart(selections.map(sellerOf)).values()];
  const text = [
    `Spend ${readMoney(allocated, currency)} for ${boundedText(advertiser.name, NAME_MAX)}?`,
    `The ${id === undefined ? 'new ' : ''}campaign ${boundedText(campaign.name, NAME_MAX)}${id === undefined ? '' : ` (${id})`}`,
    `buys ${counted(selections.length, 'product')}`,
    `from ${named(sellers)}, to run from ${moment(campaign.start_at)} to ${moment(campaign.end_at)}. This is real money.`,
  ].join(' ');
  return { text, about: aboutOf(campaign, selections), atMost: allocated };
}

/** What was chosen, for whom and when: all that a person goes by but the sum, which falls as the flight goes on. */
function aboutOf(campaign: Asked, selections: readonly DiscoverySelectionRow[]): string {
  const { id, name, advertiser_id: advertiserId, currency, start_at, end_at } = campaign;
  const chosen = selections.map(({ agent_id, product_id }) => [agent_id, product_id].join(' ')).sort();
  return JSON.stringify([id ?? null, name, advertiserId, currency, start_at, end_at, chosen]);
}

/** For whoever reads, not for a program. */
function moment(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function sellerOf({ agent_id: id, product }: DiscoverySelectionRow): Named {
  const { storefrontName, salesAgentName } = fromJson(product);
  const name = boundedText(storefrontName ?? salesAgentName, NAME_MAX);
  return { id, name, beside: boundedText(salesAgentName, NAME_MAX) };
}

function named(sellers: readonly string[]): string {
  const more = sellers.length - SELLERS_NAMED;
  const first = sellers.slice(0, SELLERS_NAMED).join(', ');
  return more > 0 ? `${first} and ${counted(more, 'other seller')}` : first;
}
