import { type AgentKind, type AgentTally, pageOfAgents } from '../../../../store/discovery-agents.ts';
import type { GroupFilter } from '../../../../store/discovery-groups.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import type { Page } from '../../../../store/engine/paging.ts';
import type { Context } from '../../../core/context.ts';
import { openedWith } from '../../discovery-opening.ts';
import { asIncompleteSeller, asPendingSeller, asResult, skippedResults } from '../asking/agent-results.ts';
import { hiddenNotesOf, notesOf } from '../asking/quiet.ts';
import { connectionIssuesOf } from '../connection-issues.ts';
import { filtersIn, hiddenSellers } from '../groups.ts';
import { moreOf } from '../more-agents.ts';
import { SELLERS_COMPACT, SELLERS_SHOWN } from '../seller-lists-schema.ts';

/** What an answer says of the sellers of a session, one by one: so many of each list, and how many more there are. */

interface View {
  readonly compact: boolean;
  /** Sellers to pass over in each list. */
  readonly agentOffset: number;
  readonly debug: boolean;
  readonly filter: GroupFilter;
}

/** Part of a list, and how many come behind it. */
interface Part<T> {
  readonly shown: readonly T[];
  readonly more: number;
}

type Note = ReturnType<typeof notesOf>[number] | ReturnType<typeof hiddenNotesOf>[number];

/** Reads the parts of a session that are on one page of its sellers. */
export interface SellerPages {
  readonly page: Page;
  readonly tally: AgentTally;
  of(kind: AgentKind): Promise<Part<DiscoveryAgentRow>>;
  /**
   * Storefronts that were not asked, then sellers of whose answers there is something to say, then those that show
   * nothing of what a reader wants.
   */
  notes(filter?: GroupFilter): Promise<Part<Note>>;
}

export function sellerPages(
  ctx: Context,
  session: DiscoverySessionRow,
  { tally, page }: Pick<SellerPages, 'tally' | 'page'>,
): SellerPages {
  const read = (kind: AgentKind, { take, skip }: Page) =>
    take === 0 || tally[kind] <= skip
      ? Promise.resolve([])
      : pageOfAgents(ctx.db, ctx.scope, { sessionId: session.id, kind, page: { take, skip } });
  return {
    page,
    tally,
    of: async (kind) => partOf(await read(kind, page), page, tally[kind]),
    notes: async (filter = ALL) => {
      const { notAsked = [] } = openedWith(session);
      const unasked = notAsked.slice(page.skip, page.skip + page.take);
      const told = notesOf(unasked, await read('quiet', behind(page, unasked.length, notAsked.length)));
      const before = notAsked.length + tally.quiet;
      const rest = behind(page, told.length, before);
      const { rows, total } = await hiddenSellers(ctx, session, { filter, page: rest });
      const shown = [...told, ...hiddenNotesOf(rows, filtersIn(filter))];
      return partOf(shown, page, before + total);
    },
  };
}

const ALL: GroupFilter = { sinceRevision: 0 };

/** What is left of a page once so many are shown, of a list that comes behind so many others. */
function behind({ take, skip }: Page, shown: number, before: number): Page {
  return { take: take - shown, skip: Math.max(0, skip - before) };
}

function partOf<T>(shown: readonly T[], { skip }: Page, total: number): Part<T> {
  return { shown, more: Math.max(0, total - skip - shown.length) };
}

/** The lists of a snapshot, each as far as it is shown. */
export async function sellersShown(
  ctx: Context,
  session: DiscoverySessionRow,
  { tally, view }: { readonly tally: AgentTally; readonly view: View },
) {
  const page = { take: view.compact ? SELLERS_COMPACT : SELLERS_SHOWN, skip: view.agentOffset };
  const pages = sellerPages(ctx, session, { tally, page });
  const [pending, unfinished, refused, notes, results] = await Promise.all([
    pages.of('pending'),
    pages.of('unfinished'),
    pages.of('refused'),
    pages.notes(view.filter),
    view.debug ? resultsShown(ctx, session, pages) : undefined,
  ]);
  const pendingAgents = pending.shown.map(asPendingSeller);
  const incompleteAgents = unfinished.shown.map((agent) => asIncompleteSeller(agent, session));
  return {
    pendingAgents: view.compact ? pendingAgents.map(withoutStorefronts) : pendingAgents,
    incompleteAgents: view.compact ? incompleteAgents.map(withoutStorefronts) : incompleteAgents,
    ...(await connectionIssuesOf(ctx, refused.shown)),
    ...(notes.shown.length === 0 ? {} : { sellerNotes: [...notes.shown] }),
    ...(results === undefined ? {} : { agentResults: results.shown }),
    ...moreOf({
      pendingAgents: pending.more,
      incompleteAgents: unfinished.more,
      connectionIssues: refused.more,
      sellerNotes: notes.more,
      agentResults: results?.more ?? 0,
    }),
  };
}

/** A seller is known by its agent: where it sells stands with its products. */
function withoutStorefronts<T extends { storefronts?: unknown }>({ storefronts: _, ...said }: T) {
  return said;
}

/** What each seller did; those that were not asked come last. */
async function resultsShown(ctx: Context, session: DiscoverySessionRow, { of, page, tally }: SellerPages) {
  const { shown } = await of('asked');
  const skipped = await skippedResults(ctx, session);
  const from = Math.max(0, page.skip - tally.asked);
  const results = [...shown.map(asResult), ...skipped.slice(from, from + page.take - shown.length)];
  return { shown: results, more: Math.max(0, tally.asked + skipped.length - page.skip - results.length) };
}
