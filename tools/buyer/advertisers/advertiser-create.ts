import { z } from 'zod';
import { insertAdvertiserAccounts } from '../../../store/advertiser-accounts.ts';
import { countAdvertisers, insertAdvertiser } from '../../../store/advertisers.ts';
import { toFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { lockAccount } from '../../../store/organizations.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { beyondSandbox } from '../../core/errors/refusals.ts';
import { orProblem, throwTogether } from '../../core/errors/told-together.ts';
import { capsColumn, utmColumn } from '../../domain/advertisers/delivery-columns.ts';
import { newlyLinked } from '../../domain/advertisers/linked-accounts.ts';
import { advertiserKind } from '../../domain/advertisers/reach.ts';
import { requireRoom } from '../../domain/quota-room.ts';
import { advertiserRecord, brandToSave } from './brands.ts';
import { advertiser, advertiserFields, advertiserNotBuilt, advertiserSpellings } from './schema.ts';

export const advertiserCreate = defineTool({
  name: 'advertiser_create',
  title: 'Create advertiser',
  example: {
    name: 'Acme Anvils',
    brand: 'acme.example',
    saveBrand: true,
    primaryCurrency: 'USD',
    sandbox: true,
  },
  description:
    'Creates an advertiser: a brand that campaigns are run for. Choose the currency with care: it stays from ' +
    'the first campaign on. A sandbox advertiser simulates everything and never spends; that cannot be ' +
    'changed later, and a test key makes no other. Confirm an unknown brand with ' +
    'saveBrand. Returns the advertiser; go on with discover_products.',
  effect: 'create',
  openWorld: { by: 'linkedAccounts' },
  audit: { kind: advertiserKind, ofResult: ({ id }) => id },
  access: needs('buyer:write', { within: ['sandbox'] }),
  rest: { method: 'POST', path: '/advertisers', status: 201 },
  input: z.strictObject({
    name: advertiserFields.name,
    brand: advertiserFields.brand,
    primaryCurrency: advertiserFields.primaryCurrency,
    description: advertiserFields.description.optional(),
    sandbox: z
      .boolean()
      .optional()
      .describe('True: simulate everything, spend nothing. Left out it is true with a test key, else false.'),
    optimizationApplyMode: advertiserFields.optimizationApplyMode.default('MANUAL'),
    saveBrand: advertiserFields.saveBrand,
    utmConfig: advertiserFields.utmConfig.optional(),
    linkedAccounts: advertiserFields.linkedAccounts.optional(),
    frequencyCaps: advertiserFields.frequencyCaps.optional(),
  }),
  spellings: advertiserSpellings,
  notBuilt: advertiserNotBuilt,
  output: advertiser,
  errors: ['CONFLICT'],
  handler: async (ctx, input) => {
    const sandbox = input.sandbox ?? ctx.sandboxOnly;
    if (ctx.sandboxOnly && !sandbox) throw beyondSandbox('advertiser');
    const { brand, linkedAccounts } = input;
    const problems: AppError[] = [];
    const linking = () => newlyLinked(ctx, linkedAccounts, { brand, sandbox, before: [] });
    const accounts = (await orProblem(problems, linking)) ?? [];
    const saveBrand = await orProblem(problems, () => brandToSave(ctx, input));
    throwTogether(problems);

    const row = await ctx.write(
      async (tx) => {
        await roomForAdvertiser(ctx, tx);
        await saveBrand?.(tx);
        const made = await insertAdvertiser(tx, ctx.scope, {
          name: input.name,
          description: input.description ?? null,
          brand: input.brand,
          status: 'ACTIVE',
          sandbox: toFlag(sandbox),
          primary_currency: input.primaryCurrency,
          currency_locked: 0,
          optimization_apply_mode: input.optimizationApplyMode,
          utm_config: utmColumn(input.utmConfig) ?? null,
          frequency_caps: capsColumn(ctx, input.frequencyCaps) ?? null,
          linked_accounts: accounts.length,
          version: 1,
          created_at: ctx.now,
          updated_at: ctx.now,
        });
        await insertAdvertiserAccounts(tx, ctx.scope, { advertiserId: made.id, accounts });
        return made;
      },
      ({ id, name }) => ({ resourceId: id, resourceName: name, advertiserId: id }),
    );

    return advertiserRecord(ctx, row);
  },
});

async function roomForAdvertiser(ctx: Context, tx: Db): Promise<void> {
  const { advertisersPerAccount: most } = ctx.services.limits.quotas;
  await lockAccount(tx, ctx.scope);
  const there = await countAdvertisers(tx, ctx.scope);
  const instead = 'Use one of advertiser_list, or ask the operator of this service for more.';
  requireRoom({ owner: 'account', what: 'advertiser', there, most, instead });
}
