import { z } from 'zod';
import {
  type InventorySourceRow,
  sourceStatuses,
  updateInventorySource,
} from '../../../store/inventory-sources.ts';
import { needs } from '../../core/access.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, contradicts, staleWrite } from '../../core/errors/refusals.ts';
import { authOwner } from '../../domain/sellers/credential-owner.ts';
import { reachSource, sourceKind } from '../../domain/sellers/reach.ts';
import { inventorySourceRecord } from './record.ts';
import { authenticationTypeOf, credentialRule, isElsewhere, nextStatus } from './rules.ts';
import { auth, inventorySource, sourceFields } from './schema.ts';

const fields = z.strictObject({
  sourceId: sourceFields.sourceId,
  name: sourceFields.name.optional(),
  status: z
    .enum(sourceStatuses)
    .optional()
    .describe('DISABLED takes it out of discovery, ACTIVE brings it back.'),
  endpointUrl: sourceFields.endpointUrl.optional(),
  authenticationType: sourceFields.authenticationType
    .optional()
    .describe('API_KEY needs auth; NO_AUTH deletes the stored credential. Giving auth alone means API_KEY.'),
  auth: auth.optional(),
  description: sourceFields.description.optional(),
});

const input = fields.refine(credentialRule.check, credentialRule.complaint);

export const inventorySourceUpdate = defineTool({
  name: 'inventory_source_update',
  title: 'Update inventory source',
  description:
    'Changes an inventory source of your storefront; what is left out stays. Saving the credential of a PENDING ' +
    'source activates it; an endpointUrl on another host needs auth again. Returns the source as it now is.',
  effect: 'update',
  audit: { kind: sourceKind, ofInput: ({ sourceId }) => sourceId },
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/inventory-sources/{sourceId}' },
  input,
  output: inventorySource,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { sourceId }) => reachSource(ctx, sourceId),
  handler: async (ctx, change, found) => {
    const { after } = await ctx.write(
      async (tx) => {
        // Touching the row holds it for us, and gives it as it is now: others may have written since it was found.
        const touched = { id: found.id, set: { updated_at: ctx.now } };
        const before = await updateInventorySource(tx, ctx.scope, touched);
        if (before === undefined) throw staleWrite(sourceKind);
        const set = changed(ctx, change, before);
        const written = await updateInventorySource(tx, ctx.scope, { id: before.id, set });
        if (written === undefined) throw staleWrite(sourceKind);
        return { before, after: written };
      },
      ({ before, after: written }) => ({
        resourceId: written.source_id,
        resourceName: written.name,
        changes: changesBetween(inventorySourceRecord(before), inventorySourceRecord(written)),
      }),
    );

    return inventorySourceRecord(after);
  },
});

type Change = z.output<typeof input>;

/** What becomes of a source: given its row as it is while nobody else can write it. */
function changed(ctx: Context, change: Change, before: InventorySourceRow) {
  const parts = {
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    updated_at: ctx.now,
    ...(before.execution_type === 'AGENT' ? connection(ctx, change, before) : {}),
  };
  const next = nextStatus({ ...before, ...parts }, change.status);
  if ('refusal' in next) {
    throw conflict(
      `The source cannot change like this. ${next.refusal}`,
      'Give auth or set authenticationType to NO_AUTH; set status to DISABLED to take the source out of discovery.',
    );
  }
  return { ...parts, status: next.status };
}

/** Where an agent is and how it is signed in at: a credential goes to the place it was given for alone. */
function connection(ctx: Context, change: Change, before: InventorySourceRow) {
  const endpoint_url = change.endpointUrl ?? before.endpoint_url;
  const authentication_type = authenticationTypeOf(change, before.authentication_type);
  if (authentication_type === 'NO_AUTH') return { endpoint_url, authentication_type, auth: null };
  if (change.auth !== undefined) {
    const auth = ctx.services.ports.secrets.seal(JSON.stringify(change.auth), authOwner(before.id));
    return { endpoint_url, authentication_type, auth };
  }
  if (before.auth !== null && isElsewhere(before.endpoint_url, endpoint_url)) {
    throw contradicts(
      'auth',
      'The stored credential was given for another host. Give auth for the new one.',
      {
        suggestion: 'Give auth together with endpointUrl, or set authenticationType to NO_AUTH.',
      },
    );
  }
  return { endpoint_url, authentication_type, auth: before.auth };
}
