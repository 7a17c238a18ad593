import { z } from 'zod';
import { insertAdvertiserAccounts, listAdvertiserAccounts } from '../../../store/advertiser-accounts.ts';
import { advertiserStatuses, updateAdvertiser } from '../../../store/advertisers.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { needs, requirePermission } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { orProblem, throwTogether } from '../../core/errors/told-together.ts';
import { differing, writeUpdate } from '../../core/updating.ts';
import { capsColumn, utmColumn } from '../../domain/advertisers/delivery-columns.ts';
import { newlyLinked } from '../../domain/advertisers/linked-accounts.ts';
import { advertiserKind, reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { advertiserRecord, brandToSave } from './brands.ts';
import { loggedAdvertiser } from './record.ts';
import { currencyProblems } from './rules.ts';
import { advertiser, advertiserFields, advertiserNotBuilt, advertiserSpellings } from './schema.ts';

export const advertiserUpdate = defineTool({
  name: 'advertiser_update',
  title: 'Update advertiser',
  example: { advertiserId: 1, description: 'Anvils for kitchens and workshops.' },
  description:
    'Changes an advertiser; what is left out stays. The currency can change until its first ' +
    'campaign. Set status to ARCHIVED to retire it, which needs buyer:admin (warnings name what ' +
    'still runs), to ACTIVE to bring it back. Returns the advertiser as it now is.',
  effect: 'update',
  openWorld: { by: 'linkedAccounts' },
  audit: { kind: advertiserKind, ofInput: ({ advertiserId }) => advertiserId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'PUT', path: '/advertisers/{advertiserId}' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser'),
    name: advertiserFields.name.optional(),
    description: advertiserFields.description.optional(),
    brand: advertiserFields.brand.optional(),
    primaryCurrency: advertiserFields.primaryCurrency.optional(),
    optimizationApplyMode: advertiserFields.optimizationApplyMode.optional(),
    saveBrand: advertiserFields.saveBrand,
    utmConfig: advertiserFields.utmConfig.optional(),
    linkedAccounts: advertiserFields.linkedAccounts.optional(),
    frequencyCaps: advertiserFields.frequencyCaps.optional(),
    status: z.enum(advertiserStatuses).optional().describe('ARCHIVED hides it from lists.'),
  }),
  spellings: advertiserSpellings,
  notBuilt: advertiserNotBuilt,
  elsewhere: {
    sandbox: 'It stays as it was made: make another advertiser with advertiser_create.',
  },
  output: advertiser,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { advertiserId, status }) => {
    // To archive is to delete, by whatever way.
    if (status === 'ARCHIVED') requirePermission('buyer:admin', ctx.caller);
    return reachAdvertiser(ctx, advertiserId);
  },
  handler: async (ctx, input, found) => {
    const problems: AppError[] = [...currencyProblems(found, input.primaryCurrency)];
    const { brand = found.brand, name = found.name, saveBrand: isSaved } = input;
    const isAsked = brand !== found.brand || isSaved === true;
    const saveBrand = isAsked
      ? await orProblem(problems, () => brandToSave(ctx, { brand, saveBrand: isSaved, name }))
      : undefined;

    const before = await listAdvertiserAccounts(ctx.db, ctx.scope, found.id);
    const sandbox = fromFlag(found.sandbox);
    const linking = () => newlyLinked(ctx, input.linkedAccounts, { brand, sandbox, before });
    const accounts = (await orProblem(problems, linking)) ?? [];
    throwTogether(problems);
    const given = {
      name: input.name,
      description: input.description,
      brand: input.brand,
      primary_currency: input.primaryCurrency,
      optimization_apply_mode: input.optimizationApplyMode,
      utm_config: utmColumn(input.utmConfig),
      frequency_caps: capsColumn(ctx, input.frequencyCaps, found.frequency_caps),
      linked_accounts: found.linked_accounts + accounts.length,
      status: input.status,
    };
    const about = ({ id, name }: typeof found) => ({ resourceName: name, advertiserId: id });
    if (saveBrand !== undefined && Object.keys(differing(found, given)).length === 0) {
      await ctx.write(saveBrand, about(found));
    }
    const row = await writeUpdate(ctx, {
      kind: advertiserKind,
      found,
      given,
      update: async (tx, set) => {
        await saveBrand?.(tx);
        const written = await updateAdvertiser(tx, ctx.scope, {
          id: found.id,
          version: found.version,
          set: { ...set, updated_at: ctx.now },
        });
        if (written !== undefined) {
          await insertAdvertiserAccounts(tx, ctx.scope, { advertiserId: found.id, accounts });
        }
        return written;
      },
      record: loggedAdvertiser,
      about,
    });

    return advertiserRecord(ctx, row);
  },
});
