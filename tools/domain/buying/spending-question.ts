import type { CampaignRow } from '../../../store/campaigns.ts';
import {
  type ChosenProduct,
  type DiscoverySelectionRow,
  listSelections,
} from '../../../store/discovery-selections.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import type { Context } from '../../core/context.ts';
import { reachAdvertiser } from '../advertisers/reach.ts';
import { counted } from '../counted.ts';
import { readMoney } from '../money.ts';
import { boundedText } from '../text.ts';
import { ahead, planOf } from './allocation.ts';
import { problemsOf } from './choice-problems.ts';

const NAME_MAX = 120;
const SELLERS_NAMED = 10;

/**
 * What a person is asked before a campaign spends for the first time. Undefined in the sandbox, where the campaign
 * has spent before, and where its choice cannot be bought anyway.
 */
export async function spendingQuestion(ctx: Context, campaign: CampaignRow): Promise<string | undefined> {
  const { discovery_id: discoveryId, status } = campaign;
  if (status !== 'DRAFT' || discoveryId === null) return undefined;
  return questionOf(ctx, campaign, await listSelections(ctx.db, ctx.scope, discoveryId));
}

/** A campaign that is yet to be made has no id that holds: the question would be another each time it is asked. */
type Asked = Omit<CampaignRow, 'id'> & { readonly id?: string | undefined };

/** The same of a choice that may not be stored yet. */
export async function questionOf(
  ctx: Context,
  campaign: Asked,
  selections: readonly DiscoverySelectionRow[],
): Promise<string | undefined> {
  const { currency, id } = campaign;
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  if (fromFlag(advertiser.sandbox)) return undefined;
  const terms = ahead(campaign, ctx.now);
  if (selections.length === 0 || problemsOf(terms, selections).length > 0) return undefined;
  const { allocated } = planOf(terms, selections);
  const sellers = [...new Set(selections.map(({ product }) => sellerOf(fromJson(product))))];
  return [
    `Spend ${readMoney(allocated, currency)} for ${boundedText(advertiser.name, NAME_MAX)}?`,
    `The ${id === undefined ? 'new ' : ''}campaign ${boundedText(campaign.name, NAME_MAX)}${id === undefined ? '' : ` (${id})`}`,
    `buys ${counted(selections.length, 'product')}`,
    `from ${named(sellers)}, to run from ${moment(campaign.start_at)} to ${moment(campaign.end_at)}. This is real money.`,
  ].join(' ');
}

/** For whoever reads, not for a program. */
function moment(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function sellerOf({ storefrontName, salesAgentName }: ChosenProduct): string {
  return boundedText(storefrontName ?? salesAgentName, NAME_MAX);
}

function named(sellers: readonly string[]): string {
  const more = sellers.length - SELLERS_NAMED;
  const first = sellers.slice(0, SELLERS_NAMED).join(', ');
  return more > 0 ? `${first} and ${counted(more, 'other seller')}` : first;
}
