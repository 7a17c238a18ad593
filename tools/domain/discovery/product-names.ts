import type { ChosenProduct } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import type { Choice } from './choose.ts';
import { findAll } from './found-products.ts';

/** Products as people read them. */

export function nameOf({ name, salesAgentName }: Pick<ChosenProduct, 'name' | 'salesAgentName'>): string {
  return `${name} of ${salesAgentName}`;
}

/** The same of choices; what its session has not found has no name but that of its seller. */
export async function namesOf(
  ctx: Context,
  session: DiscoverySessionRow,
  choices: readonly Choice[],
): Promise<string[]> {
  if (choices.length === 0) return [];
  const found = await findAll(ctx, session, choices);
  return found.map((one, index) =>
    'problem' in one ? (choices[index]?.productId ?? '') : nameOf(one.product),
  );
}
