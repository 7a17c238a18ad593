import type { Fields } from '../journeys/step.ts';
import type { World } from './mistake.ts';

/** A way to write an input that is taken, and the plain way to write the same. */
export interface Taken {
  readonly what: string;
  readonly tool: string;
  readonly by?: 'seller';
  args(world: World): Fields;
  same(world: World): Fields;
}

const plainCampaign = ({ advertiserId }: World) => ({
  advertiserId,
  name: 'Winter',
  budget: { total: 1_000 },
  flightDates: { startDate: '2026-12-10T00:00:00Z', endDate: '2026-12-31T23:59:59.999Z' },
});

export const taken: readonly Taken[] = [
  {
    what: 'days for moments',
    tool: 'campaign_create',
    args: (world) => ({
      ...plainCampaign(world),
      flightDates: { startDate: '2026-12-10', endDate: '2026-12-31' },
    }),
    same: plainCampaign,
  },
  {
    what: 'days under second names',
    tool: 'campaign_create',
    args: ({ advertiserId }) => ({
      advertiserId,
      name: 'Winter',
      budget: { amount: '1000' },
      start_date: '2026-12-10',
      end_date: '2026-12-31',
    }),
    same: plainCampaign,
  },
  {
    what: 'null for what it leaves out, at every depth',
    tool: 'campaign_create',
    args: (world) => ({
      ...plainCampaign(world),
      budget: { total: 1_000, currency: null, dailyCap: null, amount: null },
      brief: null,
      constraints: null,
      storefrontIds: null,
      start_date: null,
    }),
    same: plainCampaign,
  },
  {
    what: 'numbers and truth as text',
    tool: 'advertiser_list',
    args: () => ({ take: '5', skip: ' 0 ', sandbox: 'False' }),
    same: () => ({ take: 5, skip: 0, sandbox: false }),
  },
  {
    what: 'words in another case',
    tool: 'campaign_create',
    args: (world) => ({ ...plainCampaign(world), budget: { total: 1_000, currency: 'usd', pacing: 'even' } }),
    same: (world) => ({ ...plainCampaign(world), budget: { total: 1_000, currency: 'USD', pacing: 'EVEN' } }),
  },
  {
    what: 'one word for a list, in another case',
    tool: 'campaign_list',
    args: () => ({ status: 'draft' }),
    same: () => ({ status: ['DRAFT'] }),
  },
  {
    what: 'every state',
    tool: 'campaign_list',
    args: () => ({ status: 'ALL' }),
    same: () => ({ includeArchived: true }),
  },
  {
    what: 'every state',
    tool: 'storefront_list',
    args: () => ({ status: 'all' }),
    same: () => ({}),
  },
  {
    what: 'an id as a number',
    tool: 'advertiser_get',
    args: ({ advertiserId }) => ({ advertiserId: Number(advertiserId) }),
    same: ({ advertiserId }) => ({ advertiserId }),
  },
  {
    what: 'ids as numbers, countries in small letters and twice',
    tool: 'discover_products',
    args: ({ advertiserId, storefrontId }) => ({
      advertiserId,
      storefrontIds: [Number(storefrontId)],
      countries: ['us', 'US'],
      waitSeconds: '0',
    }),
    same: ({ advertiserId, storefrontId }) => ({
      advertiserId,
      storefrontIds: [storefrontId],
      countries: ['US'],
      waitSeconds: 0,
    }),
  },
  {
    what: 'the id of an object as a number',
    tool: 'audit_log_list',
    args: ({ advertiserId }) => ({ resourceId: Number(advertiserId), endDate: '2030-01-01' }),
    same: ({ advertiserId }) => ({ resourceId: advertiserId, endDate: '2030-01-01T23:59:59.999Z' }),
  },
  {
    what: 'null beside another name of the same',
    tool: 'advertiser_list',
    args: () => ({ take: null, limit: 3, skip: null, offset: null }),
    same: () => ({ take: 3 }),
  },
  {
    what: 'joints of another kind',
    tool: 'discover_products',
    args: ({ advertiserId }) => ({
      advertiserId,
      channels: ['linear-tv'],
      pricingModel: 'Flat Rate',
      waitSeconds: 0,
    }),
    same: ({ advertiserId }) => ({
      advertiserId,
      channels: ['linear_tv'],
      pricingModel: 'flat_rate',
      waitSeconds: 0,
    }),
  },
  {
    what: 'a list without entries',
    tool: 'discover_products',
    args: ({ advertiserId, storefrontId }) => ({
      advertiserId,
      storefrontIds: [storefrontId],
      storefrontNames: [],
      channels: [],
      countries: [],
      waitSeconds: 0,
    }),
    same: ({ advertiserId, storefrontId }) => ({
      advertiserId,
      storefrontIds: [storefrontId],
      waitSeconds: 0,
    }),
  },
  {
    what: 'null for what it does not change',
    tool: 'inventory_source_update',
    by: 'seller',
    args: ({ sourceId }) => ({ sourceId, name: 'Shelf', status: null, auth: null, endpointUrl: null }),
    same: ({ sourceId }) => ({ sourceId, name: 'Shelf' }),
  },
];
