import { z } from 'zod';
import type { Db } from '../../../store/engine/db.ts';
import { isUniqueViolation } from '../../../store/engine/dialect.ts';
import {
  countInventorySources,
  executionTypes,
  insertInventorySource,
  type NewInventorySource,
} from '../../../store/inventory-sources.ts';
import { lockAccount } from '../../../store/organizations.ts';
import type { StorefrontRow } from '../../../store/storefronts.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { besideOtherProblems } from '../../core/schemas/checks.ts';
import { counted } from '../../domain/counted.ts';
import { authOwner } from '../../domain/sellers/credential-owner.ts';
import { sourceKind } from '../../domain/sellers/reach.ts';
import { reachOwnStorefront } from '../../domain/storefronts/reach.ts';
import { slugOf } from '../../domain/text.ts';
import { agentAddress } from './agent-address.ts';
import { inventorySourceRecord } from './record.ts';
import { authenticationTypeOf, credentialRule, forAgents, nextStatus } from './rules.ts';
import { auth, connectionNotBuilt, inventorySource, sourceFields, sourceTypes } from './schema.ts';

const fields = z.strictObject({
  name: sourceFields.name,
  sourceId: sourceFields.sourceId.optional(),
  executionType: z
    .enum(executionTypes)
    .default('AGENT')
    .describe('AGENT: your sales agent at a URL. MANAGED_SALES_AGENT: the embedded seller of this service.'),
  type: z.enum(sourceTypes).optional().describe('What it gives: SALES sells products.'),
  endpointUrl: sourceFields.endpointUrl.optional(),
  protocol: sourceFields.protocol.default('MCP'),
  authenticationType: sourceFields.authenticationType
    .optional()
    .describe('API_KEY needs auth. Default: API_KEY with auth, NO_AUTH without.'),
  auth: auth.optional(),
  description: sourceFields.description.optional(),
});

const addressRule = forAgents('endpointUrl');
const signInRule = forAgents('authenticationType');
const authRule = forAgents('auth');

const input = fields
  .refine(({ executionType, endpointUrl }) => executionType !== 'AGENT' || endpointUrl !== undefined, {
    message: 'Required with executionType AGENT: give the address of the agent.',
    path: ['endpointUrl'],
    ...besideOtherProblems,
  })
  .refine(credentialRule.check, credentialRule.complaint)
  .refine(addressRule.check, addressRule.complaint)
  .refine(signInRule.check, signInRule.complaint)
  .refine(authRule.check, authRule.complaint);

type Input = z.output<typeof input>;

export const inventorySourceCreate = defineTool({
  name: 'inventory_source_create',
  title: 'Create inventory source',
  example: { name: 'Own shelf', executionType: 'MANAGED_SALES_AGENT' },
  description:
    'Adds an inventory source to your storefront: an AdCP sales agent at a URL over MCP, or the embedded seller ' +
    'of this service, whose products you add with product_create. With authenticationType API_KEY it ' +
    'is PENDING until it has auth; otherwise ACTIVE at once, unasked.',
  effect: 'create',
  audit: { kind: sourceKind, ofInput: ({ sourceId }) => sourceId, ofResult: ({ sourceId }) => sourceId },
  access: needs('buyer:write'),
  rest: { method: 'POST', path: '/inventory-sources', status: 201 },
  input,
  notBuilt: [...connectionNotBuilt, 'connectionContract', 'type=SIGNAL', 'type=CREATIVE', 'type=OUTCOME'],
  output: inventorySource,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx) => reachOwnStorefront(ctx),
  handler: async (ctx, wanted, storefront) => {
    const source = newSource(ctx, wanted, storefront);
    try {
      const row = await ctx.write(
        async (tx) => {
          await roomForSource(ctx, tx);
          return insertInventorySource(tx, ctx.scope, source);
        },
        ({ source_id, name }) => ({ resourceId: source_id, resourceName: name }),
      );
      return inventorySourceRecord(row);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw conflict(
        `The storefront has a source ${source.source_id} already.`,
        'Give another sourceId, or change that one with inventory_source_update.',
      );
    }
  },
});

/** Makes sure, in the transaction that adds one, that the storefront may have one more. */
async function roomForSource(ctx: Context, tx: Db): Promise<void> {
  const { sourcesPerStorefront } = ctx.services.limits.quotas;
  await lockAccount(tx, ctx.scope);
  if ((await countInventorySources(tx, ctx.scope)) < sourcesPerStorefront) return;
  throw conflict(
    `The storefront has ${counted(sourcesPerStorefront, 'inventory source')}, which is the limit.`,
    'Delete one with inventory_source_delete, or ask the operator of this service for more.',
  );
}

function newSource(ctx: Context, wanted: Input, storefront: StorefrontRow): NewInventorySource {
  const id = ctx.newId('src');
  const isAgent = wanted.executionType === 'AGENT';
  const parts = {
    execution_type: wanted.executionType,
    authentication_type: isAgent ? authenticationTypeOf(wanted, 'NO_AUTH') : null,
    auth:
      isAgent && wanted.auth !== undefined
        ? ctx.services.ports.secrets.seal(JSON.stringify(wanted.auth), authOwner(id))
        : null,
  };
  const status = nextStatus({ ...parts, status: 'PENDING' }, undefined);
  return {
    ...parts,
    id,
    storefront_id: storefront.id,
    source_id: wanted.sourceId ?? slugOf(wanted.name, id),
    agent_id: ctx.newId('agt'),
    name: wanted.name,
    description: wanted.description ?? null,
    status: 'status' in status ? status.status : 'PENDING',
    endpoint_url: isAgent && wanted.endpointUrl !== undefined ? agentAddress(ctx, wanted.endpointUrl) : null,
    protocol: isAgent ? wanted.protocol : null,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}
