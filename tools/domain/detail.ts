import { z } from 'zod';
import type { Context } from '../core/context.ts';

/** How much an answer says: `compact` is what a model decides by, `full` is every field. */
export const detail = z.enum(['compact', 'full']).optional().describe('compact (default over MCP) or full.');

/** The same where every caller is given every field, unless it asks for few. */
export const fullDetail = z
  .enum(['compact', 'full'])
  .default('full')
  .describe('compact: what one decides by, in few words. full: every field.');

/** Whether the short form is wanted: where nothing is said, by whoever called over MCP. */
export function isCompact(
  ctx: Pick<Context, 'server'>,
  input: { readonly detail?: z.output<typeof detail> },
): boolean {
  return input.detail === undefined ? ctx.server !== undefined : input.detail === 'compact';
}
