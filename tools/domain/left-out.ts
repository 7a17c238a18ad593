import { z } from 'zod';
import { counted } from './counted.ts';

/** A list that leaves some out by where they stand, and whoever looked for one by its name. */
export const leftOutGuidance = z
  .string()
  .optional()
  .describe('How many of the name that was asked for are left out, because of where they stand.');

/** That so many of a name are in none of the states that a list shows, which does not say that there are none. Pure. */
export function leftOutByName(
  total: number,
  { word, statuses }: { readonly word: string; readonly statuses: readonly string[] },
): { guidance?: string } {
  if (total === 0) return {};
  const are = total === 1 ? 'is' : 'are';
  const where = [statuses.slice(0, -1).join(', '), statuses.at(-1)].filter(Boolean).join(' or ');
  return {
    guidance: `${counted(total, word)} of that name ${are} left out, which ${are} ${where}: status ALL lists all.`,
  };
}
