import type { DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { listOpenAgents } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { ISSUES_MAX } from '../../core/errors/few-issues.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { type Naming, PLACES } from './ways-out.ts';

type Chosen = Pick<DiscoverySelectionRow, 'agent_id' | 'product'>;

interface Beside {
  readonly before?: readonly Pick<MediaBuyRow, 'agent_id' | 'submission'>[];
  /** Where the caller named it. */
  readonly naming?: Naming;
}

/**
 * The sellers of a choice that take no new order at present: nothing is bound, and nobody is asked to allow it, for
 * orders that would not be sent. One that may hold an order already is asked about it all the same.
 */
export async function closedSellers(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  selections: readonly Chosen[],
  { before = [], naming = 'kept' }: Beside = {},
): Promise<AppError[]> {
  const unheard = before.filter(({ submission }) => submission === 'unknown');
  const sellers = new Map(
    selections
      .filter(({ agent_id }) => !unheard.some((buy) => buy.agent_id === agent_id))
      .map(({ agent_id, product }) => [agent_id, fromJson(product).salesAgentName]),
  );
  const open = await listOpenAgents(db, scope, [...sellers.keys()]);
  const closed = [...sellers].filter(([id]) => !open.has(id));
  if (closed.length === 0) return [];
  const more = closed.length - ISSUES_MAX;
  const names = closed.slice(0, ISSUES_MAX).map(([, name]) => name);
  const named = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    conflict(
      `${named} ${closed.length === 1 ? 'takes' : 'take'} no orders at present.`,
      `${sentence(PLACES[naming].drop('what they sell'))}, or wait until they are open again, and repeat the call.`,
    ).with({ salesAgentIds: closed.map(([id]) => id) }),
  ];
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
