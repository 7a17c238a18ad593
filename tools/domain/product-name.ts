import type { ChosenProduct } from '../../store/discovery-selections.ts';

/** A product as people read it. */
export function productNameOf({
  name,
  salesAgentName,
}: Pick<ChosenProduct, 'name' | 'salesAgentName'>): string {
  return `${name} of ${salesAgentName}`;
}
