import { z } from 'zod';
import type { Sealed } from '../../../store/engine/codec.ts';
import {
  executionTypes,
  holdInventorySource,
  type InventorySourceRow,
  sourceStatuses,
  updateInventorySource,
} from '../../../store/inventory-sources.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, contradiction, contradicts, notImplemented } from '../../core/errors/refusals.ts';
import { type Given, writeHeldUpdate } from '../../core/updating.ts';
import { authOwner } from '../../domain/sellers/credential-owner.ts';
import { reachSource, sourceKind } from '../../domain/sellers/reach.ts';
import { agentAddress } from './agent-address.ts';
import { warningsOf } from './following.ts';
import { inventorySourceRecord, knownSourceRecord } from './record.ts';
import {
  authenticationTypeOf,
  connectionIn,
  credentialRule,
  isElsewhere,
  NO_CONNECTION,
  nextStatus,
} from './rules.ts';
import { auth, connectionNotBuilt, knownSource, sourceFields, sourceIdThere } from './schema.ts';

const fields = z.strictObject({
  sourceId: sourceIdThere,
  name: sourceFields.name.optional(),
  status: z
    .enum(sourceStatuses)
    .optional()
    .describe('DISABLED takes it out of discovery, ACTIVE brings it back.'),
  executionType: z.enum(executionTypes).optional().describe('What it is: it stays so.'),
  protocol: sourceFields.protocol.optional().describe('Protocol the agent speaks: it stays so.'),
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
    'Changes an inventory source, such as its address or credential; what is left out stays. Saving the credential of ' +
    'a PENDING source activates it; an endpointUrl on another host needs auth again. Returns the source as it now is.',
  effect: 'update',
  audit: { kind: sourceKind, ofInput: ({ sourceId }) => sourceId },
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/inventory-sources/{sourceId}' },
  input,
  notBuilt: connectionNotBuilt,
  output: knownSource,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { sourceId }) => reachSource(ctx, sourceId),
  handler: async (ctx, change, found) => {
    requireSame(change, found);
    requireFitting(change, found);
    const after = await writeHeldUpdate(ctx, {
      kind: sourceKind,
      hold: (tx) => holdInventorySource(tx, ctx.scope, found.id),
      given: (before) => columnsOf(ctx, change, before),
      update: (tx, set, version) =>
        updateInventorySource(tx, ctx.scope, { id: found.id, set: { ...set, version, updated_at: ctx.now } }),
      record: inventorySourceRecord,
      about: ({ name }) => ({ resourceName: name }),
    });

    return { ...knownSourceRecord(after), ...(await warningsOf(ctx, after)) };
  },
});

type Change = z.output<typeof input>;

/** What a source is and speaks can be repeated, as it is stored; another word for it is a change that is not built. */
function requireSame({ executionType, protocol }: Change, found: InventorySourceRow): void {
  const changed = [
    ...(executionType === undefined || executionType === found.execution_type ? [] : ['executionType']),
    ...(protocol === undefined || protocol === found.protocol ? [] : ['protocol']),
  ];
  if (changed.length > 0) throw notImplemented(changed);
}

/** What leads to an agent is not taken for the embedded seller: it would be kept nowhere. */
function requireFitting(change: Change, { execution_type }: InventorySourceRow): void {
  const given = execution_type === 'AGENT' ? [] : connectionIn(change);
  if (given.length > 0) throw contradiction(given.map((path) => ({ path, message: NO_CONNECTION })));
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
    throw conflict(`The source cannot change like this. ${next.refusal}`, next.instead);
  }
  const isAnother = 'endpoint_url' in parts && parts.endpoint_url !== before.endpoint_url;
  return { ...parts, status: next.status, ...(isAnother ? NOT_ASKED : {}) };
}

/** What is known of an agent at another address. */
const NOT_ASKED = {
  answered_at: null,
  late_at: null,
  late_calls: 0,
  declared_targeting: null,
  declared_sandbox: null,
  declared_versions: null,
  last_failure: null,
};

/** Where an agent is and how it is signed in at: a credential goes to the place it was given for alone. */
function connection(ctx: Context, change: Change, before: InventorySourceRow) {
  const endpoint_url =
    change.endpointUrl === undefined ? before.endpoint_url : agentAddress(ctx, change.endpointUrl);
  const authentication_type = authenticationTypeOf(change, before.authentication_type);
  if (authentication_type === 'NO_AUTH') return { endpoint_url, authentication_type, auth: null };
  if (change.auth !== undefined) {
    return { endpoint_url, authentication_type, auth: sealedAuth(ctx, JSON.stringify(change.auth), before) };
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

/** A credential encrypted anew is another text each time: the one that is stored already stays as it is. */
function sealedAuth(ctx: Context, given: string, { id, auth }: InventorySourceRow) {
  const { secrets } = ctx.services.ports;
  return auth !== null && openedAuth(ctx, id, auth) === given ? auth : secrets.seal(given, authOwner(id));
}

/** Undefined where no key that is here opens it: giving the credential again is what helps. */
function openedAuth(ctx: Context, id: string, auth: Sealed): string | undefined {
  try {
    return ctx.services.ports.secrets.open(auth, authOwner(id));
  } catch {
    return undefined;
  }
}
