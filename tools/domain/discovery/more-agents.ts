import { z } from 'zod';

/** How many sellers there are beyond those that an answer or an event names. */

const LISTS = [
  'pendingAgents',
  'incompleteAgents',
  'connectionIssues',
  'sellerNotes',
  'agentResults',
] as const;
type ListName = (typeof LISTS)[number];

const count = z.number().int().optional();

/** How much of which list is not shown. */
export const moreAgents = z.object({
  pendingAgents: count.describe('Of pendingAgents.'),
  incompleteAgents: count.describe('Of incompleteAgents.'),
  connectionIssues: count.describe('Of connectionIssues.'),
  sellerNotes: count.describe('Of sellerNotes.'),
  agentResults: count.describe('Of agentResults.'),
});

export function moreOf(counts: Partial<Readonly<Record<ListName, number>>>): {
  moreAgents?: z.input<typeof moreAgents>;
} {
  const more = Object.fromEntries(
    LISTS.flatMap((name) => ((counts[name] ?? 0) > 0 ? [[name, counts[name]]] : [])),
  );
  return Object.keys(more).length === 0 ? {} : { moreAgents: more };
}
