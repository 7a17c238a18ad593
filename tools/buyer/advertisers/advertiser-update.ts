import { z } from 'zod';
import { advertiserStatuses, updateAdvertiser } from '../../../store/advertisers.ts';
import { needs } from '../../core/access.ts';
import { changesBetween } from '../../core/changes.ts';
import { defineTool } from '../../core/define.ts';
import { staleWrite } from '../../core/errors.ts';
import { reachAdvertiser } from '../../core/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { advertiserRecord } from './record.ts';
import { currencyChangeRefusal } from './rules.ts';
import { advertiser, advertiserFields, advertiserSpellings } from './schema.ts';

export const advertiserUpdate = defineTool({
  name: 'advertiser_update',
  title: 'Update advertiser',
  description:
    'Changes fields of an advertiser; what is left out stays. The currency can change only until the first ' +
    'campaign exists. Set status to ARCHIVED to retire it, to ACTIVE to bring it back. Returns the ' +
    'advertiser as it now is.',
  surface: 'buyer',
  toolset: 'advertisers',
  effect: 'update',
  resource: 'ADVERTISER',
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/advertisers/{advertiserId}' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser'),
    name: advertiserFields.name.optional(),
    description: advertiserFields.description.optional(),
    brand: advertiserFields.brand.optional(),
    primaryCurrency: advertiserFields.primaryCurrency.optional(),
    optimizationApplyMode: advertiserFields.optimizationApplyMode.optional(),
    status: z.enum(advertiserStatuses).optional().describe('ARCHIVED hides it from lists.'),
  }),
  spellings: advertiserSpellings,
  output: advertiser,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (ctx, input, found) => {
    const refused = currencyChangeRefusal(found, input.primaryCurrency ?? found.primary_currency);
    if (refused !== undefined) throw refused;

    const set = {
      name: input.name ?? found.name,
      description: input.description ?? found.description,
      brand: input.brand ?? found.brand,
      primary_currency: input.primaryCurrency ?? found.primary_currency,
      optimization_apply_mode: input.optimizationApplyMode ?? found.optimization_apply_mode,
      status: input.status ?? found.status,
      updated_at: ctx.now,
    };
    const row = await ctx.write(
      async (tx) => {
        const written = await updateAdvertiser(tx, ctx.scope, { id: found.id, version: found.version, set });
        if (written === undefined) throw staleWrite('advertiser');
        return written;
      },
      (written) => ({
        resourceId: written.id,
        resourceName: written.name,
        advertiserId: written.id,
        changes: changesBetween(advertiserRecord(found), advertiserRecord(written)),
      }),
    );

    return advertiserRecord(row);
  },
});
