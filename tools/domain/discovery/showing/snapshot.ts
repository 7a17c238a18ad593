import type { z } from 'zod';
import { listAgentNames, listLanded, tallyAgents } from '../../../../store/discovery-agents.ts';
import type { DiscoveryGroupRow, GroupTotals } from '../../../../store/discovery-groups.ts';
import { sumSelections } from '../../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { listGroupProducts } from '../../../../store/discovery-wanted.ts';
import type { Context } from '../../../core/context.ts';
import { isOfSandbox } from '../../advertisers/sandbox.ts';
import { counted } from '../../counted.ts';
import { isCompact } from '../../detail.ts';
import { openedWith } from '../../discovery-opening.ts';
import { readMoney, toMajor } from '../../money.ts';
import { traceOf } from '../../trace.ts';
import { productIn } from '../asking/kept-products.ts';
import { briefMatchedIn } from '../asking/quiet.ts';
import { discoveryTopic, PRICE_SCALE } from '../asking/revisions.ts';
import { assessmentsOf } from '../assessment-results.ts';
import { filterFor, readGroups, type Wanted } from '../groups.ts';
import { reachSession } from '../reach.ts';
import { refinementOf } from '../refinement.ts';
import { PRODUCTS_COMPACT, PRODUCTS_SHOWN, type snapshot, WAIT_MAX } from '../schema.ts';
import { SELLERS_COMPACT } from '../seller-lists-schema.ts';
import { compactProducts } from './compact.ts';
import { goneSince } from './gone-groups.ts';
import { progressOf } from './progress.ts';
import { sellersShown } from './seller-lists.ts';
import { compactProposals, shownProposals } from './shown-proposals.ts';

/** Rows change in other processes too: those who wait look again after this long. */
const LOOK_AGAIN_MS = 1_000;

export interface View {
  readonly wanted: Wanted;
  readonly groupLimit: number;
  readonly groupOffset: number;
  readonly productsPerGroup?: number | undefined;
  readonly detail?: 'compact' | 'full' | undefined;
  readonly productOffset: number;
  readonly agentOffset: number;
  readonly debug: boolean;
}

interface Waiting {
  readonly seconds: number;
  /** Ends the wait with the first revision beyond it; without it the session has to be complete. */
  readonly sinceRevision?: number | undefined;
}

/** Waits until there is what is waited for, or the time is over, telling whoever asked for progress. */
export async function waitForSession(
  ctx: Context,
  session: DiscoverySessionRow,
  { seconds, sinceRevision = Number.POSITIVE_INFINITY }: Waiting,
): Promise<DiscoverySessionRow> {
  const { clock, wake } = ctx.services.ports;
  const until = clock.now() + Math.min(seconds, WAIT_MAX) * 1_000;
  const stop = AbortSignal.any([ctx.signal, ctx.services.stopping]);
  const landings = wake.listen(discoveryTopic(session.id));
  try {
    let current = session;
    for (;;) {
      const next = await reachSession(ctx, session.id);
      if (next.revision > current.revision) await tellProgress(ctx, next);
      current = next;
      if (current.status !== 'collecting' || current.revision > sinceRevision) return current;
      if (clock.now() >= until || stop.aborted) return current;
      await landings.next(Math.min(until - clock.now(), LOOK_AGAIN_MS), stop);
    }
  } finally {
    landings.close();
  }
}

async function tellProgress(ctx: Context, session: DiscoverySessionRow): Promise<void> {
  const { id: sessionId, revision } = session;
  const [{ asked, pending }, latest] = await Promise.all([
    tallyAgents(ctx.db, ctx.scope, sessionId),
    listLanded(ctx.db, ctx.scope, { sessionId, revision, limit: SELLERS_COMPACT }),
  ]);
  const told = latest.map((agent) =>
    agent.state === 'answered'
      ? `${agent.agent_name}: ${counted(agent.products, 'product')}`
      : `${agent.agent_name}: no answer`,
  );
  ctx.progress(asked - pending, asked, told.join('; '));
}

/** The session as it stands, one page of it. */
export async function readSnapshot(
  ctx: Context,
  session: DiscoverySessionRow,
  view: View,
): Promise<z.input<typeof snapshot>> {
  const { id } = session;
  const compact = isCompact(ctx, view);
  const page = { take: view.groupLimit, skip: view.groupOffset };
  const filter = await filterFor(ctx, session, view.wanted);
  const [tally, { groups, totals }, allocatedMinor, proposed, ofSandbox] = await Promise.all([
    tallyAgents(ctx.db, ctx.scope, id),
    readGroups(ctx, session, { filter, page }),
    sumSelections(ctx.db, ctx.scope, id),
    compact ? compactProposals(ctx, id) : shownProposals(ctx, id),
    isOfSandbox(ctx, session),
  ]);
  const briefMatched = briefMatchedIn(tally);
  const hasMoreGroups = view.groupOffset + groups.length < totals.groups;
  // They are no groups of the session, and follow the last of those.
  const gone = hasMoreGroups ? [] : await goneSince(ctx, session, filter);
  return {
    discoveryId: id,
    revision: session.revision,
    resultsComplete: session.status === 'complete',
    productGroups: [...(await showGroups(ctx, groups, view)), ...gone],
    totalGroups: totals.groups,
    hasMoreGroups,
    sandbox: ofSandbox,
    summary: summarise(session, totals),
    ...budgetContextOf(session, allocatedMinor),
    ...(await sellersShown(ctx, session, { tally, view: { ...view, filter, compact } })),
    ...progressOf(session, tally, ctx.services.ports.clock.now()),
    ...(briefMatched === undefined ? {} : { briefMatched }),
    ...proposed,
    ...(await refinementOf(ctx, session)),
    ...(await assessmentsOf(ctx, session)),
    ...(view.debug ? { diagnostics: { trace: traceOf(ctx) } } : {}),
    createdAt: session.created_at,
  };
}

async function showGroups(ctx: Context, groups: readonly DiscoveryGroupRow[], view: View) {
  const [first] = groups;
  if (first === undefined) return [];
  const ids = [...new Set(groups.map(({ agent_id }) => agent_id))];
  const agents = await listAgentNames(ctx.db, ctx.scope, { sessionId: first.session_id, ids });
  const names = new Map(agents.map(({ agent_id, storefront_name }) => [agent_id, storefront_name]));
  return Promise.all(groups.map((group) => showGroup(ctx, { group, names }, view)));
}

async function showGroup(
  ctx: Context,
  { group, names }: { readonly group: DiscoveryGroupRow; readonly names: ReadonlyMap<string, string> },
  view: View,
) {
  const compact = isCompact(ctx, view);
  const { productOffset, productsPerGroup = compact ? PRODUCTS_COMPACT : PRODUCTS_SHOWN } = view;
  const texts = await listGroupProducts(ctx.db, ctx.scope, {
    sessionId: group.session_id,
    groupId: group.group_id,
    filter: view.wanted,
    page: { take: productsPerGroup, skip: productOffset },
  });
  const shown = texts.map((product) => productIn({ product }));
  return {
    groupId: group.group_id,
    groupName: group.name,
    storefrontId: String(group.storefront_id),
    storefrontName: names.get(group.agent_id),
    ...(compact ? compactProducts(shown) : { products: shown }),
    productCount: shown.length,
    totalProducts: group.product_count,
    hasMoreProducts: productOffset + shown.length < group.product_count,
  };
}

function summarise(session: DiscoverySessionRow, totals: GroupTotals) {
  const { price_min, price_max, price_count, price_sum } = totals;
  const known = price_min !== null && price_max !== null && price_count > 0;
  return {
    totalProducts: totals.products,
    publishersCount: totals.publishers,
    ...(known
      ? {
          priceRange: {
            min: price_min / PRICE_SCALE,
            max: price_max / PRICE_SCALE,
            avg: Math.round(price_sum / price_count) / PRICE_SCALE,
            currency: openedWith(session).currency,
          },
        }
      : {}),
  };
}

/** What the session's budget is and how much of it the choice takes; nothing when neither is known. */
export function budgetContextOf(session: DiscoverySessionRow, allocated: number) {
  const { budgetMinor, currency } = openedWith(session);
  if (budgetMinor === undefined && allocated === 0) return {};
  const over = budgetMinor !== undefined && allocated > budgetMinor;
  return {
    budgetContext: {
      sessionBudget: budgetMinor === undefined ? null : toMajor(budgetMinor, currency),
      allocatedBudget: toMajor(allocated, currency),
      remainingBudget: budgetMinor === undefined ? null : toMajor(budgetMinor - allocated, currency),
      ...(over
        ? { budgetWarning: `The choice takes ${readMoney(allocated - budgetMinor, currency)} too much.` }
        : {}),
    },
  };
}
