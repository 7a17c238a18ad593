import { z } from 'zod';
import type { Db } from '../../../store/engine/db.ts';
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
import type { Given } from '../../core/updating.ts';
import { differing } from '../../core/updating.ts';
import { authOwner } from '../../domain/sellers/credential-owner.ts';
import { reachSource, sourceKind } from '../../domain/sellers/reach.ts';
import { inventorySourceRecord } from './record.ts';
import { authenticationTypeOf, credentialRule, isElsewhere, nextStatus } from './rules.ts';
import { auth, connectionNotBuilt, inventorySource, sourceFields } from './schema.ts';

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
  example: { sourceId: 'src_example', description: 'What we sell ourselves.' },
  description:
    'Changes an inventory source of your storefront; what is left out stays. Saving the credential of a PENDING ' +
    'source activates it; an endpointUrl on another host needs auth again. Returns the source as it now is.',
  effect: 'update',
  audit: { kind: sourceKind, ofInput: ({ sourceId }) => sourceId },
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/inventory-sources/{sourceId}' },
  input,
  notBuilt: [...connectionNotBuilt.slice(1), 'executionType', 'protocol'],
  output: inventorySource,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { sourceId }) => reachSource(ctx, sourceId),
  handler: async (ctx, change, found) => {
    const { after } = await ctx.write(
      async (tx) => {
        // Writing a column of it as it is holds the row for us, and gives it as it is now: others may have written
        // since it was found.
        const before = await write(ctx, tx, { id: found.id, set: { id: found.id } });
        const set = differing(before, columnsOf(ctx, change, before));
        if (Object.keys(set).length === 0) return { before, after: before };
        const written = await write(ctx, tx, { id: found.id, set: { ...set, updated_at: ctx.now } });
        return { before, after: written };
      },
      ({ before, after: written }) =>
        before === written
          ? undefined
          : {
              resourceName: written.name,
              changes: changesBetween(inventorySourceRecord(before), inventorySourceRecord(written)),
            },
    );

    return inventorySourceRecord(after);
  },
});

type Change = z.output<typeof input>;

async function write(
  ctx: Context,
  tx: Db,
  change: { id: string; set: Partial<InventorySourceRow> },
): Promise<InventorySourceRow> {
  const row = await updateInventorySource(tx, ctx.scope, change);
  if (row === undefined) throw staleWrite(sourceKind);
  return row;
}

/** What becomes of a source: given its row as it is while nobody else can write it. */
function columnsOf(ctx: Context, change: Change, before: InventorySourceRow): Given<InventorySourceRow> {
  const parts = {
    name: change.name,
    description: change.description,
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
