import { fromJson } from '../../../store/engine/codec.ts';
import type { Context } from '../../core/context.ts';
import { targetingNotSupported } from '../../core/errors/change-refusals.ts';
import { abilitiesOf } from '../buying/change-capabilities.ts';
import { undeclaredIn } from '../targeting/declared.ts';
import type { Chosen } from './choose.ts';

/** Refuses choices with a targeting that their sellers do not declare, all of it at once. */
export async function requireDeclared(
  ctx: Context,
  chosen: readonly Chosen[],
  placeOf = (index: number) => `products.${index}`,
): Promise<void> {
  const targeted = chosen.filter(({ targeting_overlay }) => targeting_overlay !== null);
  if (targeted.length === 0) return;
  const known = await abilitiesOf(
    ctx,
    targeted.map(({ agent_id }) => agent_id),
  );
  const unsupported = chosen.flatMap((row, index) => {
    const seller = known.get(row.agent_id) ?? 'unknown';
    // Who cannot be asked is not refused for it.
    if (row.targeting_overlay === null || seller === 'gone' || seller === 'unknown') return [];
    const missing = undeclaredIn(fromJson(row.targeting_overlay), seller.targeting);
    return missing.map(({ field, reason }) => ({
      productId: row.product_id,
      salesAgentId: row.agent_id,
      field: `${placeOf(index)}.targetingOverlay.${field}`,
      reason,
    }));
  });
  if (unsupported.length > 0) throw targetingNotSupported(unsupported);
}
