import { listSelections } from '../../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Context } from '../../../core/context.ts';
import { firstFew } from '../../counted.ts';
import { boundedText } from '../../text.ts';

const NAMED_MAX = 5;
const NAME_MAX = 60;

/**
 * What is chosen although the last changes of its session leave it out, in words; none where nothing is. Nobody takes
 * it out of the choice but who chose it, and what is chosen is bought.
 */
export async function omittedStill(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  { id, refinement }: Pick<DiscoverySessionRow, 'id' | 'refinement'>,
): Promise<string[]> {
  const items = refinement === null ? [] : fromJson(refinement);
  const omitted = new Set(
    items.flatMap((one) => (one.scope === 'product' && one.action === 'omit' ? [one.id] : [])),
  );
  if (omitted.size === 0) return [];
  const chosen = (await listSelections(db, scope, id)).filter((row) => omitted.has(row.product_id));
  if (chosen.length === 0) return [];
  const names = chosen.map(({ product }) => boundedText(fromJson(product).name, NAME_MAX));
  const are = chosen.length === 1 ? 'is' : 'are';
  return [
    `${firstFew(names, { most: NAMED_MAX })} ${are} chosen still, though refine left ${chosen.length === 1 ? 'it' : 'them'} out: ` +
      'what is chosen is bought. discovery_remove_products takes products out of the choice.',
  ];
}
