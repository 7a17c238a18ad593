import { type DiscoverySelectionRow, listSelections } from '../../../../store/discovery-selections.ts';
import {
  type DiscoverySessionRow,
  findSession,
  type RefinementItem,
} from '../../../../store/discovery-sessions.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Context } from '../../../core/context.ts';
import { firstFew } from '../../counted.ts';
import { boundedText } from '../../text.ts';

const NAMED_MAX = 5;
const NAME_MAX = 60;

type Refined = Pick<DiscoverySessionRow, 'refinement'>;
type Chosen = Pick<DiscoverySelectionRow, 'agent_id' | 'product_id' | 'product'>;

/**
 * What is chosen although the last changes of its session leave it out, in words; none where nothing is. Nobody takes
 * it out of the choice but who chose it, and what is chosen is bought.
 */
export async function omittedStill(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  { id, refinement }: Pick<DiscoverySessionRow, 'id' | 'refinement'>,
): Promise<string[]> {
  if (omittedIn({ refinement }).length === 0) return [];
  return omittedAmong(await listSelections(db, scope, id), { refinement });
}

/** The same of what a draft is to buy of a session. */
export async function omittedOf(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  sessionId: string,
  chosen: readonly Chosen[],
): Promise<string[]> {
  if (chosen.length === 0) return [];
  const session = await findSession(db, scope, sessionId);
  return session === undefined ? [] : omittedAmong(chosen, session);
}

function omittedIn({ refinement }: Refined): readonly Omission[] {
  const items = refinement === null ? [] : fromJson(refinement);
  return items.flatMap((one) => (one.scope === 'product' && one.action === 'omit' ? [one] : []));
}

type Omission = Extract<RefinementItem, { readonly scope: 'product' }>;

/** Sellers may use one id for products of their own: where one of them is named, no other is meant. */
function isMeant({ agent_id, product_id }: Chosen, { id, agentId = agent_id }: Omission): boolean {
  return id === product_id && agentId === agent_id;
}

/** The same of a choice that is at hand. Pure. */
export function omittedAmong(choice: readonly Chosen[], session: Refined): string[] {
  const omitted = omittedIn(session);
  const chosen = choice.filter((row) => omitted.some((one) => isMeant(row, one)));
  if (chosen.length === 0) return [];
  const names = chosen.map(({ product }) => boundedText(fromJson(product).name, NAME_MAX));
  const [are, them] = chosen.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [
    `${firstFew(names, { most: NAMED_MAX })} ${are} chosen still, though refine left ${them} out: ` +
      'what is chosen is bought. discovery_remove_products takes products out of the choice.',
  ];
}
