import { z } from 'zod';
import {
  type InventorySourceRow,
  sourceStatuses,
  updateInventorySource,
} from '../../store/inventory-sources.ts';
import { needs } from '../access.ts';
import { changesBetween } from '../changes.ts';
import type { Context } from '../context.ts';
import { defineTool } from '../define.ts';
import { conflict, staleWrite } from '../errors.ts';
import { authOwner } from '../seller-auth.ts';
import { ownSource } from './find.ts';
import { sourceRecord } from './record.ts';
import { nextStatus } from './rules.ts';
import { auth, inventorySource, sourceFields } from './schema.ts';

const input = z.strictObject({
  sourceId: sourceFields.sourceId,
  name: sourceFields.name.optional(),
  status: z
    .enum(sourceStatuses)
    .optional()
    .describe('DISABLED takes it out of discovery, ACTIVE brings it back.'),
  endpointUrl: sourceFields.endpointUrl.optional(),
  authenticationType: sourceFields.authenticationType.optional(),
  auth: auth.optional(),
  description: sourceFields.description.optional(),
});

export const inventorySourceUpdate = defineTool({
  name: 'inventory_source_update',
  title: 'Update inventory source',
  description:
    'Changes an inventory source of your storefront; what is left out stays. Saving the credential of a PENDING ' +
    'source activates it. Returns the source as it now is.',
  surface: 'storefront',
  toolset: 'selling',
  effect: 'update',
  resource: 'INVENTORY_SOURCE',
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/inventory-sources/{sourceId}' },
  input,
  output: inventorySource,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { sourceId }) => ownSource(ctx, sourceId),
  handler: async (ctx, change, found) => {
    const set = changed(ctx, change, found);

    const row = await ctx.write(
      async (tx) => {
        const written = await updateInventorySource(tx, ctx.scope, { id: found.id, set });
        if (written === undefined) throw staleWrite('inventory source');
        return written;
      },
      (written) => ({
        resourceId: written.source_id,
        resourceName: written.name,
        changes: changesBetween(sourceRecord(found), sourceRecord(written)),
      }),
    );

    return sourceRecord(row);
  },
});

function changed(ctx: Context, change: z.output<typeof input>, found: InventorySourceRow) {
  const isAgent = found.execution_type === 'AGENT';
  const parts = {
    name: change.name ?? found.name,
    description: change.description ?? found.description,
    endpoint_url: isAgent ? (change.endpointUrl ?? found.endpoint_url) : null,
    authentication_type: isAgent ? (change.authenticationType ?? found.authentication_type) : null,
    auth:
      isAgent && change.auth !== undefined
        ? ctx.services.ports.secrets.seal(JSON.stringify(change.auth), authOwner(found.id))
        : found.auth,
    updated_at: ctx.now,
  };
  const next = nextStatus({ ...found, ...parts }, change.status);
  if ('refusal' in next) {
    throw conflict(
      `The source cannot change like this. ${next.refusal}`,
      'Give auth or set authenticationType to NO_AUTH; set status to DISABLED to take the source out of discovery.',
    );
  }
  return { ...parts, status: next.status };
}
