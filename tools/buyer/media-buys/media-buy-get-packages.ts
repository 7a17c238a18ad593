import { z } from 'zod';
import type { PacingPeriod } from '../../../store/campaigns.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { packagePacings } from '../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { dayOf, momentAfter } from '../../core/moments.ts';
import { deliveredByPackage, packageFigures } from '../../domain/buying/answers/performance.ts';
import { datesShown } from '../../domain/buying/answers/shown-package-dates.ts';
import { packageStatus, packagesOrdered, statusOfPackage } from '../../domain/buying/choice/package-lines.ts';
import { reachCampaign, reachMediaBuy } from '../../domain/buying/reach.ts';
import { packageBudget } from '../../domain/buying/spend/budget-parts.ts';
import { prefixedId } from '../../domain/ids.ts';
import type { OrderPackage } from '../../domain/sellers/port.ts';
import { timestamp } from '../../domain/time.ts';

const buyerPackage = z.object({
  packageId: z.string().describe('Id of the package at the seller: media_buy_update takes it.'),
  productId: z.string().nullable().describe('The product it delivers.'),
  productName: z.string().optional().describe('Name of that product.'),
  status: packageStatus,
  startTime: timestamp.optional().describe('When it starts.'),
  endTime: timestamp.optional().describe('When it ends.'),
  budget: z
    .number()
    .nullable()
    .describe('What it may spend, with the fee in it as in media_buy_update, in units of the currency.'),
  budgetCurrency: z.string().optional().describe('ISO 4217 code.'),
  pacingPeriod: z
    .object({
      index: z.number().int().describe('Which of the periods it is, from 1.'),
      label: z.string().optional().describe('What that is called.'),
    })
    .optional()
    .describe('The pacing period that it is for.'),
  pacing: z.enum(packagePacings).optional().describe('How the budget is spread.'),
  delivery: packageFigures.optional(),
});

export const mediaBuyGetPackages = defineTool({
  name: 'media_buy_get_packages',
  title: 'Get media buy packages',
  example: { media_buy_id: 'mb_example' },
  description:
    'Lists the packages of a media buy, as its seller confirmed them: product, budget, dates and whether each is ' +
    'paused or canceled. Change them with media_buy_update.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/media-buys/{media_buy_id}/packages' },
  input: z.strictObject({ media_buy_id: prefixedId('the media buy', 'mb_') }),
  spellings: { media_buy_id: ['mediaBuyId'] },
  output: z.object({
    mediaBuyId: z.string().describe('Id of the media buy.'),
    isPaced: z.boolean().describe('Whether its budget is spread by periods.'),
    packageCount: z.number().int().describe('How many packages it has.'),
    packages: z.array(buyerPackage).describe('Each of them.'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachMediaBuy(ctx, input.media_buy_id),
  handler: async (ctx, _input, found) => {
    const { pacing_periods: shared } = await reachCampaign(ctx, found.campaign_id);
    const pacing = found.pacing_periods ?? shared;
    const periods = pacing === null ? [] : fromJson(pacing).periods;
    const packages = packagesOf(found, periods);
    const isPaced = packages.some(({ pacingPeriod }) => pacingPeriod !== undefined);
    return { mediaBuyId: found.id, isPaced, packageCount: packages.length, packages };
  },
});

function packagesOf(row: MediaBuyRow, periods: readonly PacingPeriod[]): z.input<typeof buyerPackage>[] {
  const products = fromJson(row.products);
  const delivered = deliveredByPackage(row);
  return packagesOrdered(row).map((ordered) => {
    const { part, line } = ordered;
    const { start, end } = datesShown(ordered);
    return {
      packageId: part.package_id,
      productId: part.product_id,
      productName: products.find(({ product_id }) => product_id === part.product_id)?.name,
      status: statusOfPackage(row, part),
      startTime: start,
      endTime: end,
      budget: packageBudget(row, part),
      budgetCurrency: row.currency,
      pacingPeriod: periodOf(line ?? datedByItself(row, { start, end }), periods),
      pacing: part.pacing ?? line?.pacing,
      delivery: delivered.get(part.package_id),
    };
  });
}

/** Where its line is not certain, the dates that its seller shows tell; undefined where it shows none. */
function datedByItself(row: MediaBuyRow, { start, end }: ReturnType<typeof datesShown>): Dates | undefined {
  if ((start ?? end) === undefined) return undefined;
  return { start_time: start ?? row.start_time, end_time: end ?? row.end_time };
}

type Dates = Pick<OrderPackage, 'start_time' | 'end_time'>;

/** The period that it runs in; undefined where it runs in several, or was not ordered for one. */
function periodOf(line: Dates | undefined, periods: readonly PacingPeriod[]) {
  if (line?.start_time === undefined) return undefined;
  const first = dayOf(line.start_time);
  const last = line.end_time === undefined ? first : dayOf(momentAfter(line.end_time, -1));
  const index = periods.findIndex(({ start, end }) => start <= first && last <= end);
  const period = periods[index];
  return period === undefined ? undefined : { index: index + 1, label: period.label };
}
