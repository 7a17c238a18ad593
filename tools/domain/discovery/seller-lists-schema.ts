import { z } from 'zod';
import { quietReasons } from '../../../store/discovery-sessions.ts';
import { closedReasons } from '../discovery-opening.ts';
import { incompleteSeller, pendingSeller } from './agent-results-schema.ts';
import { connectionIssue } from './connection-issues.ts';
import { moreAgents } from './more-agents.ts';

/** How many sellers each list of them names, whole and in the short form. */
export const SELLERS_SHOWN = 100;
export const SELLERS_COMPACT = 10;

const sellerNote = z.object({
  agentId: z
    .string()
    .optional()
    .describe('Id of the sales agent; absent where the storefront was not asked.'),
  storefrontId: z.string().describe('Id of the storefront.'),
  storefrontName: z.string().describe('Name of the storefront.'),
  reason: z
    .enum([...quietReasons, ...closedReasons])
    .describe(
      'What left most out (a filter, refine, or no_room in the session), brief where nothing matched it, or why it was not asked (no_sandbox: it declares no sandbox accounts).',
    ),
  message: z.string().describe('The same in words.'),
});

/** What a snapshot says of sellers one by one. */
export const sellerLists = z.object({
  pendingAgents: z.array(pendingSeller).max(SELLERS_SHOWN).describe('Sellers that have not answered yet.'),
  incompleteAgents: z
    .array(incompleteSeller)
    .max(SELLERS_SHOWN)
    .describe('Sellers that will not answer, or not with all.'),
  moreAgents: moreAgents
    .optional()
    .describe(
      `How many more each list of sellers has: ${SELLERS_SHOWN} are shown, ${SELLERS_COMPACT} in the compact form. Go on with agentOffset of browse_products.`,
    ),
  connectionIssues: z
    .array(connectionIssue)
    .max(SELLERS_SHOWN)
    .optional()
    .describe('Sellers that want other credentials.'),
  sellerNotes: z
    .array(sellerNote)
    .max(SELLERS_SHOWN)
    .optional()
    .describe(
      'Sellers that show nothing, or nothing that matches the brief, and storefronts that were named and not asked: why.',
    ),
  agentResults: z
    .array(z.looseObject({}))
    .max(SELLERS_SHOWN)
    .optional()
    .describe('What each seller did; with debug.'),
});
