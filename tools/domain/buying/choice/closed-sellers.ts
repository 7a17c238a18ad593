import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { holdSellers, listOpenAgents } from '../../../../store/unscoped/market.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { fewIssues, ISSUES_MAX } from '../../../core/errors/few-issues.ts';
import { namesApart } from '../../../core/errors/names-apart.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { capitalised } from '../../../core/schemas/sentences.ts';
import { firstFew } from '../../counted.ts';
import { type Naming, PLACES } from '../ways-out.ts';

type Chosen = Pick<DiscoverySelectionRow, 'agent_id' | 'product'>;

interface Beside {
  readonly before?: readonly Pick<MediaBuyRow, 'agent_id' | 'submission'>[];
  /** Where the caller named it. */
  readonly naming?: Naming;
}

/** Of the sellers of a choice those that take new orders at present, by their ids. */
function openSellersOf(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  selections: readonly Pick<Chosen, 'agent_id'>[],
): Promise<ReadonlySet<string>> {
  return listOpenAgents(db, scope, agentsOf(selections));
}

/** The same in a transaction that orders from them: until it ends none of them is deleted. */
export async function heldSellersOf(
  within: Pick<Context, 'db' | 'scope'>,
  selections: readonly Pick<Chosen, 'agent_id'>[],
): Promise<ReadonlySet<string>> {
  await holdSellers(within.db, agentsOf(selections));
  return openSellersOf(within, selections);
}

function agentsOf(selections: readonly Pick<Chosen, 'agent_id'>[]): string[] {
  return [...new Set(selections.map(({ agent_id }) => agent_id))];
}

/**
 * The sellers of a choice that take no new order at present: nothing is bound, and nobody is asked to allow it, for
 * orders that would not be sent. One that may hold an order already is asked about it all the same. Pure.
 */
export function closedAmong(
  open: ReadonlySet<string>,
  selections: readonly Chosen[],
  { before = [], naming = 'kept' }: Beside = {},
): AppError[] {
  const unheard = before.filter(({ submission }) => submission === 'unknown');
  const closed = sellersNamed(
    selections.filter(
      ({ agent_id }) => !open.has(agent_id) && !unheard.some((buy) => buy.agent_id === agent_id),
    ),
  );
  if (closed.size === 0) return [];
  return [
    conflict(
      noOrders([...closed.values()]),
      `${capitalised(PLACES[naming].drop('what they sell'))}, or wait until they are open again, and repeat the call.`,
    ).with({ salesAgentIds: [...closed.keys()] }),
  ];
}

/** The same for whoever has not read who is open. */
export async function closedSellers(
  ctx: Pick<Context, 'db' | 'scope'>,
  selections: readonly Chosen[],
  beside: Beside = {},
): Promise<AppError[]> {
  return closedAmong(await openSellersOf(ctx, selections), selections, beside);
}

const LEAVE_OUT = 'Leave out what they sell, or wait until they are open again, and repeat the call.';

/** Refuses to choose what is sold by sellers that take no new order at present, as its order would be refused. */
export async function requireOpenSellers(
  ctx: Pick<Context, 'db' | 'scope'>,
  selections: readonly Chosen[],
): Promise<void> {
  const [refusal] = await closedSellers(ctx, selections);
  if (refusal !== undefined) throw refusal.telling({ suggestion: LEAVE_OUT });
}

/** A product that a call names, with its place there. */
interface Named {
  readonly path: string;
  readonly product: Chosen;
}

/** The same of products that a call names: each of them that cannot be ordered at present, with its place. */
export async function requireOpenProducts(
  ctx: Pick<Context, 'db' | 'scope'>,
  named: readonly Named[],
): Promise<void> {
  const open = await openSellersOf(
    ctx,
    named.map(({ product }) => product),
  );
  const closed = named.filter(({ product }) => !open.has(product.agent_id));
  if (closed.length === 0) return;
  const names = sellersNamed(closed.map(({ product }) => product));
  const issues = closed.map(({ path, product }) => ({
    path,
    message: noOrders([names.get(product.agent_id) ?? '']),
  }));
  const [field, another] = new Set(issues.map(({ path }) => path));
  const { text, details } = fewIssues(issues);
  const salesAgentIds = [...new Set(closed.map(({ product }) => product.agent_id))];
  const at = field === undefined || another !== undefined ? {} : { field };
  throw conflict(text, LEAVE_OUT, { ...at, details: { ...details, salesAgentIds } });
}

/** Those of these sellers that take no new order at present: their names by their ids. */
export async function closedOf(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  sellers: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const open = await listOpenAgents(db, scope, [...sellers.keys()]);
  return new Map([...sellers].filter(([id]) => !open.has(id)));
}

/** The sellers of a choice by their ids: the name of each, which of several that share it tells its storefront too. */
export function sellersNamed(selections: readonly Chosen[]): ReadonlyMap<string, string> {
  return namesApart(
    selections.map(({ agent_id: id, product }) => {
      const { salesAgentName: name, storefrontName: beside } = fromJson(product);
      return { id, name, beside };
    }),
  );
}

/** That they take no order at present, in words. */
export function noOrders(names: readonly string[]): string {
  return `${fewNames(names)} ${names.length === 1 ? 'takes' : 'take'} no orders at present.`;
}

/** The first of them, and how many there are beside. */
export function fewNames(names: readonly string[]): string {
  return firstFew(names, { most: ISSUES_MAX });
}
