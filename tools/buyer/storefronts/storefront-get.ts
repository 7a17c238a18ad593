import { z } from 'zod';
import { executionTypes, sourceStatuses } from '../../../store/inventory-sources.ts';
import { listMarketSources } from '../../../store/unscoped/market.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId } from '../../domain/ids.ts';
import { reachStorefront } from '../../domain/storefronts/reach.ts';
import { storefrontRecord } from '../../domain/storefronts/record.ts';
import { marketStorefront } from '../../domain/storefronts/schema.ts';
import { shownStorefront } from '../../domain/storefronts/shown.ts';

const source = z.object({
  sourceId: z.string().describe('Name of the source within the storefront.'),
  name: z.string().describe('Name of the source.'),
  agentId: z.string().describe('Id of its sales agent, as products carry it in salesAgentId.'),
  executionType: z.enum(executionTypes).describe('AGENT: an agent at a URL. MANAGED_SALES_AGENT: embedded.'),
  status: z.enum(sourceStatuses).describe('Only ACTIVE sources are asked.'),
});

const output = marketStorefront.extend({
  connected: z.boolean().describe('Whether you can buy from it as you are.'),
  requiresCredentials: z.boolean().describe('Whether it wants a credential of yours first.'),
  customerAccounts: z.array(z.looseObject({})).describe('Accounts that you have at this seller.'),
  sources: z.array(source).describe('What it sells through.'),
});

export const storefrontGet = defineTool({
  name: 'storefront_get',
  title: 'Get storefront',
  example: { storefrontId: 1 },
  description:
    'Gives one storefront by its id, with the inventory sources it sells through. Find ids with ' +
    'storefront_list.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/storefronts/{storefrontId}', shows: shownStorefront(output) },
  input: z.strictObject({ storefrontId: numericId('the storefront') }),
  output,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachStorefront(ctx, input.storefrontId),
  handler: async (ctx, _input, found) => {
    const sources = await listMarketSources(ctx.db, ctx.scope, found.id);
    return {
      ...storefrontRecord(found),
      connected: true,
      requiresCredentials: false,
      customerAccounts: [],
      sources: sources.map((row) => ({
        sourceId: row.source_id,
        name: row.name,
        agentId: row.agent_id,
        executionType: row.execution_type,
        status: row.status,
      })),
    };
  },
});
