import { listAdvertiserAccounts } from '../../../../store/advertiser-accounts.ts';
import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import type { CampaignRow } from '../../../../store/campaigns.ts';
import { listSelections } from '../../../../store/discovery-selections.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context, Services } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { conflict, unavailable } from '../../../core/errors/refusals.ts';
import { nowOf } from '../../../core/moments.ts';
import {
  type Against,
  againstLink,
  heldAgainstSellers,
  inWords,
  isUnheard,
  linkOf,
  refusalsOf,
  type Under,
} from '../../advertisers/held-accounts.ts';
import { reachAdvertiser } from '../../advertisers/reach.ts';
import { StoppedError } from '../../sellers/deadline.ts';
import { isToBeSent } from '../answers/taken-orders.ts';
import type { Targeted } from '../changes/undeclared-targeting.ts';
import { orderIn } from '../payloads.ts';
import { isKept } from './kept-orders.ts';
import { KeptBackError } from './late-orders.ts';

/** Accounts at sellers that orders go out under: held against their sellers before anything is stored or sent. */

/** What was found of each account, by its seller and its id. */
export type HeldAccounts = ReadonlyMap<string, Against | undefined>;

type At = Pick<Under, 'agentId' | 'accountId'>;

function keyOf({ agentId, accountId }: At): string {
  return JSON.stringify([agentId, accountId]);
}

/** Holds the accounts against their sellers that orders of a campaign would go out under. In no transaction. */
export async function accountsOfOrders(
  ctx: Context,
  campaign: CampaignRow,
  unstored: readonly Targeted[] = [],
): Promise<HeldAccounts> {
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const again = buys.flatMap((buy) => (isSentAnew(buy) ? accountIn(buy) : []));
  const linked =
    advertiser.linked_accounts === 0
      ? []
      : await accountsOfChoice(ctx, { advertiser, campaign, unstored, buys });
  const unders = [...new Map([...linked, ...again].map((one) => [keyOf(one), one])).values()];
  const found = await heldAgainstSellers(ctx, advertiser.id, unders).catch(refuseStopped);
  return new Map(unders.map((one, index) => [keyOf(one), found[index]]));
}

function refuseStopped(error: unknown): never {
  if (!(error instanceof StoppedError)) throw error;
  throw unavailable(error.message, { suggestion: 'Repeat the call: nothing was ordered.', cause: error });
}

interface Choice {
  readonly advertiser: AdvertiserRow;
  readonly campaign: CampaignRow;
  readonly unstored: readonly Targeted[];
  readonly buys: readonly MediaBuyRow[];
}

async function accountsOfChoice(
  ctx: Context,
  { advertiser, campaign, unstored, buys }: Choice,
): Promise<Under[]> {
  const { discovery_id: id } = campaign;
  const stored = id === null ? [] : await listSelections(ctx.db, ctx.scope, id);
  const chosen = new Set([...stored, ...unstored].map(({ agent_id }) => agent_id));
  const kept = new Set(buys.filter(isKept).map(({ agent_id }) => agent_id));
  const links = await listAdvertiserAccounts(ctx.db, ctx.scope, advertiser.id);
  // Of several at a seller the last one counts.
  return links
    .filter(({ agent_id }) => chosen.has(agent_id) && !kept.has(agent_id))
    .filter(({ agent_id, id }) => links.findLast((one) => one.agent_id === agent_id)?.id === id)
    .map(({ agent_id, account_id, source_name }) => ({
      agentId: agent_id,
      accountId: account_id,
      seller: source_name,
      brand: advertiser.brand,
    }));
}

/** An order that goes out once more as it was, and that no seller has. */
export function isSentAnew(buy: MediaBuyRow): boolean {
  return isToBeSent(buy) && buy.submission !== 'unknown';
}

function accountIn(buy: MediaBuyRow): Under[] {
  const { agent_id, agent_name } = buy;
  const { accountId, brand } = orderIn(buy).party;
  return accountId === undefined ? [] : [{ agentId: agent_id, accountId, seller: agent_name, brand }];
}

interface Ordering {
  /** Under which account each seller is ordered from, as it is by now. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly held: HeldAccounts;
}

/** What stands against the accounts that new orders go out under to these sellers. Pure. */
export function accountProblems(agentIds: readonly string[], { accounts, held }: Ordering): AppError[] {
  return problemsIn(
    held,
    [...new Set(agentIds)].flatMap((agentId) => {
      const accountId = accounts.get(agentId);
      return accountId === undefined ? [] : [{ agentId, accountId }];
    }),
  );
}

/** The same of orders that go out once more as they were. Pure. */
export function accountProblemsAgain(held: HeldAccounts, buys: readonly MediaBuyRow[]): AppError[] {
  return problemsIn(
    held,
    buys.filter(isSentAnew).flatMap((buy) => accountIn(buy)),
  );
}

function problemsIn(held: HeldAccounts, accounts: readonly At[]): AppError[] {
  if (accounts.some((one) => !held.has(keyOf(one)))) {
    throw conflict('The accounts that the advertiser has at sellers changed meanwhile.', 'Repeat the call.');
  }
  // What could not be learned of one account keeps back what goes out under that one alone.
  const found = accounts.flatMap((one) => held.get(keyOf(one)) ?? []);
  return refusalsOf(found.filter((against) => !isUnheard(against)));
}

/** The orders, each with what could not be learned of the account that it goes out under. */
export function withAccounts<Order extends { readonly buy: MediaBuyRow; readonly repeat: boolean }>(
  sending: readonly Order[],
  held: HeldAccounts,
): (Order & { readonly unheard?: Against })[] {
  return sending.map((order) => {
    const [under] = order.repeat ? [] : accountIn(order.buy);
    const against = under && held.get(keyOf(under));
    return against === undefined || !isUnheard(against) ? order : { ...order, unheard: against };
  });
}

/** What stands against the accounts of a choice by what their sellers said last: nobody is asked. */
export async function accountsTakenBack(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  { id, linked_accounts: count }: Pick<AdvertiserRow, 'id' | 'linked_accounts'>,
  chosen: readonly Pick<Targeted, 'agent_id'>[],
): Promise<AppError[]> {
  if (count === 0) return [];
  const links = await listAdvertiserAccounts(db, scope, id);
  const agents = [...new Set(chosen.map(({ agent_id }) => agent_id))];
  return refusalsOf(
    agents.flatMap((agentId) => {
      const last = links.findLast(({ agent_id }) => agent_id === agentId);
      return (last && againstLink(last)) ?? [];
    }),
  );
}

/**
 * Holds the account of an order that was stored before against its seller, as whoever stored it did then. One that its
 * seller may have is not sent again either: it would be ordered under that account where it had not arrived.
 */
export async function requireAccount(
  services: Services,
  buy: MediaBuyRow,
  { signal, inDoubt }: { readonly signal: AbortSignal | undefined; readonly inDoubt: boolean },
): Promise<void> {
  const against = await accountAgainst(services, buy, signal);
  if (against !== undefined) throw keptBackFor(against, buy, { inDoubt });
}

/** What stands by now against the account that a buy was ordered under; asks its seller. */
export async function accountAgainst(
  services: Services,
  buy: MediaBuyRow,
  signal: AbortSignal | undefined,
): Promise<Against | undefined> {
  const ctx = {
    db: services.store.db,
    scope: scopeOfRow(buy),
    services,
    signal,
    now: nowOf(services.ports.clock),
  };
  const [against] = await heldAgainstSellers(ctx, buy.advertiser_id, accountIn(buy));
  return against;
}

/** Why an order is kept back for its account, and whether that may be another thing the next time. */
export function keptBackFor(
  against: Against,
  { agent_name }: Pick<MediaBuyRow, 'agent_name'>,
  { inDoubt }: { readonly inDoubt: boolean },
): KeptBackError {
  const isSellers = isUnheard(against);
  const next = isSellers
    ? 'You: execute the campaign again later, or link another account there with account_link_create.'
    : 'You: link another account there with account_link_create.';
  const then = inDoubt
    ? `${agent_name} may have it from before: ask there. It is asked about again once the account may be ordered under.`
    : next;
  return new KeptBackError(`The order was kept back: ${against.message} ${then}`, { inDoubt, isSellers });
}

/** How the account of an order stands by what its seller said last, where it is not to be ordered under any more. */
export async function accountInWords(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  buy: MediaBuyRow,
): Promise<string | undefined> {
  const [under] = accountIn(buy);
  if (under === undefined) return undefined;
  const link = linkOf(await listAdvertiserAccounts(db, scope, buy.advertiser_id), under);
  if (link === undefined || againstLink(link) === undefined) return undefined;
  return `The account ${under.accountId} that it is ordered under is ${inWords(link.status)} at ${under.seller}: ask there what becomes of it, and link another account for later orders.`;
}
