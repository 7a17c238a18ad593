import { z } from 'zod';
import { fromFlag, toFlag, toJson } from '../../../store/engine/codec.ts';
import { listInventorySources } from '../../../store/inventory-sources.ts';
import { type StorefrontRow, updateStorefront } from '../../../store/storefronts.ts';
import { needs } from '../../core/access.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, staleWrite } from '../../core/errors.ts';
import { ownStorefront } from '../../domain/storefronts/reach.ts';
import { asStorefrontRecord } from '../../domain/storefronts/record.ts';
import { readinessChecks } from '../../domain/storefronts/rules.ts';
import { storefrontFields, storefrontRecord } from '../../domain/storefronts/schema.ts';

const input = z.strictObject({
  name: storefrontFields.name.optional(),
  publisherDomain: storefrontFields.publisherDomain.optional(),
  operatorDomain: storefrontFields.operatorDomain.optional(),
  description: storefrontFields.description.optional(),
  website: storefrontFields.website.optional(),
  channels: storefrontFields.channels.optional(),
  acceptedCountries: storefrontFields.acceptedCountries.optional(),
  acceptsAllCountries: storefrontFields.acceptsAllCountries.optional(),
  defaultCurrency: storefrontFields.defaultCurrency.optional(),
  transacting: z.boolean().optional().describe('True opens for business, once everything needed is there.'),
  isPaused: z.boolean().optional().describe('True takes the storefront out of discovery for a while.'),
});

export const storefrontRecordUpdate = defineTool({
  name: 'storefront_record_update',
  title: 'Update own storefront',
  description:
    'Changes the storefront of your selling account; what is left out stays. transacting true opens it for ' +
    'business and needs an active inventory source and a default currency. Returns the storefront as it now ' +
    'is.',
  surface: 'storefront',
  toolset: 'selling',
  effect: 'update',
  resource: 'STOREFRONT',
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/' },
  input,
  output: storefrontRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx) => ownStorefront(ctx),
  handler: async (ctx, change, found) => {
    const set = changed(found, change, ctx.now);
    if (change.transacting === true) await requireReady(ctx, { ...found, ...set });

    const row = await ctx.write(
      async (tx) => {
        const written = await updateStorefront(tx, ctx.scope, { id: found.id, version: found.version, set });
        if (written === undefined) throw staleWrite('storefront');
        return written;
      },
      (written) => ({
        resourceId: written.id,
        resourceName: written.name,
        changes: changesBetween(asStorefrontRecord(found), asStorefrontRecord(written)),
      }),
    );

    return asStorefrontRecord(row);
  },
});

function changed(found: StorefrontRow, change: z.output<typeof input>, now: string) {
  return {
    name: change.name ?? found.name,
    publisher_domain: change.publisherDomain ?? found.publisher_domain,
    operator_domain: change.operatorDomain ?? found.operator_domain,
    description: change.description ?? found.description,
    website: change.website ?? found.website,
    default_currency: change.defaultCurrency ?? found.default_currency,
    updated_at: now,
    ...coverage(found, change),
    ...switches(found, change),
  };
}

function coverage(found: StorefrontRow, change: z.output<typeof input>) {
  const { channels, acceptedCountries, acceptsAllCountries } = change;
  return {
    channels: channels === undefined ? found.channels : toJson(channels),
    accepted_countries:
      acceptedCountries === undefined ? found.accepted_countries : toJson(acceptedCountries),
    accepts_all_countries: toFlag(acceptsAllCountries ?? fromFlag(found.accepts_all_countries)),
  };
}

function switches(found: StorefrontRow, { transacting, isPaused }: z.output<typeof input>) {
  return {
    transacting: toFlag(transacting ?? fromFlag(found.transacting)),
    is_paused: toFlag(isPaused ?? fromFlag(found.is_paused)),
  };
}

async function requireReady(ctx: Context, storefront: StorefrontRow): Promise<void> {
  const checks = readinessChecks(storefront, await listInventorySources(ctx.db, ctx.scope));
  const missing = checks.filter(({ status }) => status === 'missing');
  if (missing.length === 0) return;
  throw conflict(
    `The storefront cannot open before all of this holds: ${missing.map(({ name }) => name).join('; ')}.`,
    'Add an active inventory source with inventory_source_create and set defaultCurrency first.',
    { details: { checks } },
  );
}
