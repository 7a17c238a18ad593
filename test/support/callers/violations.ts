import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What keeps somebody from using a page, each with the elements that do. Our pages have no frames: it is all found
 * in the page itself, and no page of its own is opened to put together what frames have.
 */
export async function violationsOf(page: Page): Promise<readonly (readonly [string, readonly string[]])[]> {
  // What passed is not told of: to describe every element of it takes longer than to look.
  const looking = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await looking.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
