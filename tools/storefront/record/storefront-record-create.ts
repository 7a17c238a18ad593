import { z } from 'zod';
import { toFlag, toJson } from '../../../store/engine/codec.ts';
import { isUniqueViolation } from '../../../store/engine/dialect.ts';
import { findOwnStorefront, insertStorefront, type StorefrontRow } from '../../../store/storefronts.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { ownStorefrontKind } from '../../domain/storefronts/reach.ts';
import { ownStorefrontRecord } from '../../domain/storefronts/record.ts';
import { countriesRule, ownStorefront, storefrontFields } from '../../domain/storefronts/schema.ts';
import { shownOwnStorefront } from '../../domain/storefronts/shown.ts';
import { slugOf } from '../../domain/text.ts';

const made = ownStorefront.extend({
  message: z.string().optional().describe('Present where the storefront was there before: nothing was made.'),
});

const input = z
  .strictObject({
    name: storefrontFields.name,
    publisherDomain: storefrontFields.publisherDomain.optional(),
    operatorDomain: storefrontFields.operatorDomain.optional(),
    defaultCurrency: storefrontFields.defaultCurrency.optional(),
    acceptedCountries: storefrontFields.acceptedCountries.optional(),
    acceptsAllCountries: storefrontFields.acceptsAllCountries.default(false),
    plan: storefrontFields.plan.optional(),
  })
  .refine(countriesRule.check, countriesRule.complaint);

export const storefrontRecordCreate = defineTool({
  name: 'storefront_record_create',
  title: 'Create own storefront',
  example: { name: 'Corner Media', defaultCurrency: 'USD', acceptsAllCountries: true },
  description:
    'Makes the storefront of your selling account, closed for business at first. A second call gives the ' +
    'storefront that is there. Go on with inventory_source_create, then storefront_record_update with ' +
    'transacting true.',
  effect: 'create',
  audit: { kind: ownStorefrontKind, ofResult: ({ storefrontId }) => storefrontId },
  access: needs('buyer:write'),
  rest: { method: 'POST', path: '/', status: 201, shows: shownOwnStorefront(made) },
  input,
  notBuilt: ['paymentCurrencies'],
  output: made,
  errors: [],
  find: (ctx) => findOwnStorefront(ctx.db, ctx.scope),
  handler: async (ctx, wanted, found) => {
    if (found !== undefined) return giveExisting(ctx, found);

    const storefront: Omit<StorefrontRow, 'id' | 'organization_id' | 'customer_id'> = {
      platform_id: `${slugOf(wanted.name, 'storefront')}-${ctx.newId('s').slice(-6)}`,
      name: wanted.name,
      publisher_domain: wanted.publisherDomain ?? null,
      operator_domain: wanted.operatorDomain ?? null,
      description: null,
      website: null,
      channels: toJson([]),
      accepted_countries: wanted.acceptedCountries === undefined ? null : toJson(wanted.acceptedCountries),
      accepts_all_countries: toFlag(wanted.acceptsAllCountries),
      default_currency: wanted.defaultCurrency ?? null,
      transacting: 0,
      is_paused: 0,
      archived_at: null,
      version: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
    };
    try {
      const row = await ctx.write(
        (tx) => insertStorefront(tx, ctx.scope, storefront),
        ({ id, name }) => ({ resourceId: id, resourceName: name }),
      );
      return ownStorefrontRecord(row);
    } catch (error) {
      // Two calls at once: the other one has made it.
      const made = isUniqueViolation(error) ? await findOwnStorefront(ctx.db, ctx.scope) : undefined;
      if (made === undefined) throw error;
      return giveExisting(ctx, made);
    }
  },
});

function giveExisting(ctx: Context, row: StorefrontRow) {
  const message =
    'Your account has this storefront already; nothing was changed. Change it with storefront_record_update.';
  return ctx.existing({ ...ownStorefrontRecord(row), message });
}
