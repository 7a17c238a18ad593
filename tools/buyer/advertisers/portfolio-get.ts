import { z } from 'zod';
import {
  type BuyStanding,
  type CampaignStanding,
  countAskedOfBuyers,
  countBuys,
  countRunningOn,
  countWaitingSpends,
  type RunningOn,
  sumCampaigns,
} from '../../../store/advertiser-standings.ts';
import { type AdvertiserRow, listAdvertisers } from '../../../store/advertisers.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { openStatuses } from '../../domain/buying/machines.ts';
import { readMoney } from '../../domain/money.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { type Attention, attentionOf, heededStatuses, tones } from './attention.ts';
import { brandsOf } from './brands.ts';
import type { ShownAdvertiser } from './record.ts';

const shownAdvertiser = z.object({
  advertiserId: z.string().describe('Id of the advertiser.'),
  name: z.string().describe('Its name.'),
  initials: z.string().describe('One or two letters to show where there is no logo.'),
  brandColors: z.record(z.string(), z.string()).optional().describe('Colours of its brand.'),
  logoUrl: z.string().optional().describe('A logo of its brand.'),
  sandbox,
  managed: z
    .string()
    .nullable()
    .describe('What its ACTIVE and PAUSED campaigns may spend, such as "1200.00 USD"; null without one.'),
  tracked: z.string().nullable().describe('null: no campaign that runs elsewhere is followed here.'),
  campaignCount: z.number().int().describe('How many campaigns it has, without archived ones.'),
  resumableDraft: z.boolean().describe('Whether one of them is a draft.'),
  attention: z
    .object({
      flags: z
        .array(
          z.object({
            label: z.string().describe('What it is.'),
            tone: z.enum(tones).describe('critical: it failed; needsAction: it waits for you.'),
          }),
        )
        .describe('The most urgent first.'),
    })
    .optional()
    .describe('What somebody has to look at; absent where there is nothing.'),
  nextAction: z
    .object({ label: z.string().describe('In words.') })
    .optional()
    .describe('What to do next; absent where nothing has to be done.'),
});

export const portfolioGet = defineTool({
  name: 'portfolio_get',
  title: 'Get portfolio',
  example: { take: 20 },
  description:
    'Shows where all advertisers of your account stand, a page of them at a time: what their campaigns may spend, ' +
    'what failed, what waits for you or for a seller, and what to do next. Go on with campaign_list of one of them.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/all-advertisers-home', list: 'advertisers' },
  input: z.strictObject({ ...pagingFields({ byDefault: 100, max: 100 }) }),
  spellings: pagingSpellings,
  output: z.object({
    portfolio: z
      .object({
        managed: z
          .string()
          .describe(
            'What live campaigns may spend, each currency by itself, without the sandbox; 0 for none.',
          ),
        tracked: z.string().describe('0: no campaign that runs elsewhere is followed here.'),
        waitingOnYou: z.number().int().describe('How many media buys and spends wait for you.'),
      })
      .describe('The advertisers of this page together.'),
    advertisers: z.array(shownAdvertiser).describe('Active advertisers, oldest first.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listAdvertisers(ctx.db, ctx.scope, { filter: { status: 'ACTIVE' }, page });
    const homes = await homesOf(ctx, rows);
    return {
      portfolio: {
        managed: managedOf(homes),
        tracked: '0',
        waitingOnYou: homes.reduce((sum, { attention }) => sum + attention.waitingOnYou, 0),
      },
      advertisers: homes.map(({ shown }) => shown),
      ...nextPage(page, rows.length, total),
    };
  },
});

interface Home {
  readonly row: AdvertiserRow;
  /** Undefined where no campaign is live. */
  readonly managedMinor: number | undefined;
  readonly attention: Attention;
  readonly shown: z.input<typeof shownAdvertiser>;
}

async function homesOf(ctx: Context, rows: readonly AdvertiserRow[]): Promise<Home[]> {
  const advertiserIds = rows.map(({ id }) => id);
  const [campaigns, buys, asked, runningOn, spends, brandOf] = await Promise.all([
    sumCampaigns(ctx.db, ctx.scope, advertiserIds),
    countBuys(ctx.db, ctx.scope, { advertiserIds, statuses: heededStatuses }),
    countAskedOfBuyers(ctx.db, ctx.scope, advertiserIds),
    countRunningOn(ctx.db, ctx.scope, { advertiserIds, open: openStatuses, now: ctx.now }),
    countWaitingSpends(ctx.db, ctx.scope, { advertiserIds, now: ctx.now }),
    brandsOf(ctx, rows),
  ]);
  return rows.map((row) => {
    const own = <T extends { readonly advertiser_id: number }>(all: readonly T[]) =>
      all.filter(({ advertiser_id: id }) => id === row.id);
    const standings = own(campaigns).filter(({ status }) => status !== 'ARCHIVED');
    const waitingSpends = spends.get(row.id) ?? 0;
    const { linkedBrand: brand } = brandOf(row);
    const found = { standings, buys: own(buys), asked: asked.get(row.id) ?? 0, runningOn: own(runningOn) };
    return homeOf(row, { ...found, waitingSpends, brand });
  });
}

interface Found {
  readonly standings: readonly CampaignStanding[];
  readonly buys: readonly BuyStanding[];
  readonly asked: number;
  readonly runningOn: readonly RunningOn[];
  readonly waitingSpends: number;
  readonly brand: ShownAdvertiser['linkedBrand'];
}

function homeOf(
  row: AdvertiserRow,
  { standings, buys, asked, runningOn, waitingSpends, brand }: Found,
): Home {
  const live = standings.filter(({ status }) => status === 'ACTIVE' || status === 'PAUSED');
  const managedMinor =
    live.length === 0 ? undefined : live.reduce((sum, { budget_minor }) => sum + budget_minor, 0);
  const count = (of: readonly { readonly count: number }[]) => of.reduce((sum, one) => sum + one.count, 0);
  const goingOn = (which: (one: RunningOn) => boolean) => count(runningOn.filter(which));
  const drafts = count(standings.filter(({ status }) => status === 'DRAFT'));
  const attention = attentionOf({
    campaigns: count(standings),
    drafts,
    buys: Object.fromEntries(buys.map((one) => [one.status, one.count])),
    asked,
    runningOn: {
      inCanceled: goingOn((one) => isCalledOff(one) && one.submission !== 'unknown'),
      inPaused: goingOn(isHeld),
      afterEnd: goingOn((one) => !isHeld(one) && !isCalledOff(one)),
      unknown: goingOn((one) => isCalledOff(one) && one.submission === 'unknown'),
    },
    waitingSpends,
  });
  const { flags, nextAction } = attention;
  return {
    row,
    managedMinor,
    attention,
    shown: {
      advertiserId: String(row.id),
      name: row.name,
      initials: initialsOf(row.name),
      brandColors: brand?.colors,
      logoUrl: brand?.logoUrl,
      sandbox: fromFlag(row.sandbox),
      managed: managedMinor === undefined ? null : readMoney(managedMinor, row.primary_currency),
      tracked: null,
      campaignCount: count(standings),
      resumableDraft: drafts > 0,
      attention: flags.length === 0 ? undefined : { flags },
      nextAction: nextAction === undefined ? undefined : { label: nextAction },
    },
  };
}

function isHeld({ campaign_status }: RunningOn): boolean {
  return campaign_status === 'PAUSED';
}

function isCalledOff({ campaign_status }: RunningOn): boolean {
  return campaign_status === 'CANCELED' || campaign_status === 'ARCHIVED';
}

/** Currencies are never added up, and play money is none. */
function managedOf(homes: readonly Home[]): string {
  const sums = new Map<string, number>();
  for (const { row, managedMinor = 0 } of homes) {
    if (row.sandbox === 1 || managedMinor === 0) continue;
    sums.set(row.primary_currency, (sums.get(row.primary_currency) ?? 0) + managedMinor);
  }
  const parts = [...sums].sort().map(([currency, minor]) => readMoney(minor, currency));
  return parts.length === 0 ? '0' : parts.join(', ');
}

/** The first letters of the first two words. */
function initialsOf(name: string): string {
  const [first = '', second = ''] = name.split(/\s+/);
  return [first, second]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
