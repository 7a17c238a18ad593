import type { Fields } from '../journeys/step.ts';
import { type Mistake, type World, wrong } from './mistake.ts';
import { ofSellers } from './mistakes-of-sellers.ts';

const flightDates = { startDate: '2026-12-10T00:00:00Z', endDate: '2026-12-31T00:00:00Z' };

const campaign = ({ advertiserId }: World): Fields => ({
  advertiserId,
  name: 'Winter',
  budget: { total: 1_000 },
  flightDates,
});

const create = { tool: 'campaign_create', args: campaign };
const buying = {
  tool: 'campaign_create',
  args: (world: World): Fields => ({ ...campaign(world), discoveryId: world.discoveryId }),
};
const discover = {
  tool: 'discover_products',
  args: ({ advertiserId }: World): Fields => ({ advertiserId, waitSeconds: 0 }),
};
const browse = { tool: 'browse_products', args: ({ discoveryId }: World): Fields => ({ discoveryId }) };
const choose = {
  tool: 'discovery_add_products',
  args: ({ discoveryId, productId }: World): Fields => ({ discoveryId, products: [{ productId }] }),
};
const chooseWith = (fields: Fields) =>
  wrong(choose, ({ productId }) => ({ products: [{ productId, ...fields }] }));
const advertiser = {
  tool: 'advertiser_create',
  args: (): Fields => ({ name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' }),
};
const advertisers = { tool: 'advertiser_list', args: (): Fields => ({}) };
const campaigns = { tool: 'campaign_list', args: (): Fields => ({}) };
const storefronts = { tool: 'storefront_list', args: (): Fields => ({}) };
const log = { tool: 'audit_log_list', args: (): Fields => ({}) };
const webhook = {
  tool: 'webhook_create',
  args: (): Fields => ({
    url: 'https://hooks.example/in',
    secret: 'sixteen characters',
    eventTypes: ['discovery.revision'],
  }),
};

const ofIds: readonly Mistake[] = [
  {
    what: 'a campaign for an advertiser',
    tool: 'advertiser_get',
    args: ({ campaignId }) => ({ advertiserId: campaignId }),
    field: 'advertiserId',
    says: /cmp_\S+ is a campaign: give the id of the advertiser/,
    next: { args: ({ advertiserId }) => ({ advertiserId }) },
  },
  {
    what: 'a discovery session for a campaign',
    tool: 'campaign_get',
    args: ({ discoveryId }) => ({ campaignId: discoveryId }),
    field: 'campaignId',
    says: /disc_\S+ is a discovery session: give the id of the campaign, such as cmp_/,
    next: { args: ({ campaignId }) => ({ campaignId }) },
  },
  {
    what: 'a campaign for a media buy',
    tool: 'media_buy_get',
    args: ({ campaignId }) => ({ media_buy_id: campaignId }),
    field: 'media_buy_id',
    says: /is a campaign: give the id of the media buy/,
    next: { tool: 'campaign_get', args: ({ campaignId }) => ({ campaignId }) },
  },
  {
    what: 'a campaign for a discovery session',
    ...wrong(browse, ({ campaignId }) => ({ discoveryId: campaignId })),
    field: 'discoveryId',
    says: 'is a campaign: give the id of the session',
  },
  {
    what: 'a campaign for a webhook',
    tool: 'webhook_delete',
    args: ({ campaignId }) => ({ id: campaignId }),
    field: 'id',
    says: 'is a campaign: give the id of the subscription',
    next: { tool: 'webhook_list' },
  },
  {
    what: 'an advertiser that is not there',
    tool: 'advertiser_get',
    args: () => ({ advertiserId: '999999' }),
    code: 'NOT_FOUND',
    says: 'advertiser_list',
    next: advertisers,
  },
  {
    what: 'a name for the id of an advertiser',
    tool: 'advertiser_get',
    args: () => ({ advertiserId: 'Acme' }),
    field: 'advertiserId',
    says: 'Give a number',
    next: advertisers,
  },
  {
    what: 'a campaign that is not there',
    tool: 'campaign_get',
    args: () => ({ campaignId: 'cmp_none' }),
    code: 'NOT_FOUND',
    says: 'campaign_list',
    next: campaigns,
  },
  {
    what: 'a media buy that is not there',
    tool: 'media_buy_get',
    args: () => ({ media_buy_id: 'mb_none' }),
    code: 'NOT_FOUND',
    says: 'campaign_get',
    next: { tool: 'campaign_get', args: ({ campaignId }) => ({ campaignId }) },
  },
  {
    what: 'a session that is lost',
    ...wrong(browse, { discoveryId: 'disc_none' }),
    code: 'NOT_FOUND',
    says: 'discover_products',
    next: discover,
  },
  {
    what: 'a storefront that is not there',
    tool: 'storefront_get',
    args: () => ({ storefrontId: '999999' }),
    code: 'NOT_FOUND',
    says: 'storefront_list',
    next: storefronts,
  },
  {
    what: 'sellers that are not there',
    ...wrong(discover, { storefrontIds: ['999999'] }),
    field: 'storefrontIds.0',
    says: 'storefront_list',
    next: storefronts,
  },
  {
    what: 'a product that was not found',
    ...wrong(choose, { products: [{ productId: 'none' }] }),
    field: 'products.0.productId',
    says: 'browse_products',
    next: browse,
  },
];

const ofNames: readonly Mistake[] = [
  { what: 'pages', ...wrong(advertisers, { page: 2 }), field: 'page', says: 'skip and take' },
  {
    what: 'pages of groups',
    ...wrong(browse, { page: 2 }),
    field: 'page',
    says: 'groupOffset and groupLimit',
  },
  { what: 'a size of pages', ...wrong(campaigns, { pageSize: 5 }), field: 'pageSize', says: 'skip and take' },
  { what: 'a cursor', ...wrong(storefronts, { cursor: 'x' }), field: 'cursor', says: 'skip and take' },
  {
    what: 'a field of another case',
    ...wrong(create, { storefront_ids: [] }),
    field: 'storefront_ids',
    says: 'Did you mean storefrontIds?',
  },
  {
    what: 'a letter too few',
    ...wrong(create, { discoverId: 'x' }),
    field: 'discoverId',
    says: 'Did you mean discoveryId?',
  },
  {
    what: 'a field that is nowhere',
    ...wrong(advertiser, { colour: 'red' }),
    field: 'colour',
    says: 'Known here: name, brand',
  },
  {
    what: 'a filter that a list has not',
    tool: 'webhook_list',
    args: () => ({ status: 'x' }),
    field: 'status',
    says: 'Known here: detail',
    next: { args: () => ({}) },
  },
  {
    what: 'an unknown field inside',
    ...chooseWith({ price: 5 }),
    field: 'products.0.price',
    says: 'Known here: productId',
  },
  {
    what: 'two names with two values',
    ...wrong(advertisers, { take: 5, limit: 6 }),
    field: 'limit',
    says: 'give one of them',
  },
];

const ofValues: readonly Mistake[] = [
  {
    what: 'no budget at all',
    ...wrong(create, { budget: { total: 0 } }),
    field: 'budget.total',
    says: 'More than 0',
  },
  {
    what: 'a budget below nothing, by another name',
    ...wrong(create, { budget: { amount: -5 } }),
    field: 'budget.amount',
    says: 'budget.amount: More than 0',
  },
  {
    what: 'a budget in words',
    ...wrong(create, { budget: 'a thousand' }),
    field: 'budget',
    says: 'Give an object with total',
  },
  {
    what: 'an object as text',
    ...wrong(create, { budget: '{"total":5}' }),
    field: 'budget',
    says: 'not its JSON as text',
  },
  {
    what: 'a budget with units',
    ...wrong(create, { budget: { total: '5 USD' } }),
    field: 'budget.total',
    says: 'Give a number',
  },
  {
    what: 'a pace nobody has',
    ...wrong(create, { budget: { total: 5, pacing: 'SLOW' } }),
    field: 'budget.pacing',
    says: 'EVEN, ASAP, FRONTLOADED',
  },
  {
    what: 'a flight that ends before it starts',
    ...wrong(create, { start_date: '2026-12-31', end_date: '2026-12-10', flightDates: undefined }),
    field: 'end_date',
    says: 'Must be after the start',
  },
  {
    what: 'a date in words',
    ...wrong(create, { flightDates: { ...flightDates, startDate: 'next week' } }),
    field: 'flightDates.startDate',
    says: '2026-12-01T00:00:00Z',
  },
  {
    what: 'a moment without an offset',
    ...wrong(create, { flightDates: { ...flightDates, endDate: '2026-12-31T00:00:00' } }),
    field: 'flightDates.endDate',
    says: 'with an offset',
  },
  {
    what: 'a year before ours',
    ...wrong(create, { flightDates: { ...flightDates, startDate: '0001-01-01T00:00:00Z' } }),
    field: 'flightDates.startDate',
    says: '1970',
  },
  {
    what: 'a flight that lacks its end',
    ...wrong(create, { flightDates: { startDate: '2026-12-10' } }),
    field: 'flightDates.endDate',
    says: 'Required',
  },
  { what: 'no name', ...wrong(create, { name: null }), field: 'name', says: 'Required: give a string' },
  {
    what: 'an empty name',
    ...wrong(advertiser, { name: ' ' }),
    field: 'name',
    says: '1 character at the least',
  },
  {
    what: 'a currency that is none',
    ...wrong(advertiser, { primaryCurrency: 'DOLLAR' }),
    field: 'primaryCurrency',
    says: 'such as USD',
  },
  {
    what: 'a brand that is no domain',
    ...wrong(advertiser, { brand: undefined, brandDomain: 'Acme' }),
    field: 'brandDomain',
    says: 'acme.example',
  },
  {
    what: 'truth in words',
    ...wrong(advertiser, { sandbox: 'maybe' }),
    field: 'sandbox',
    says: 'Give true or false',
  },
  {
    what: 'another currency than the advertiser’s',
    ...wrong(create, { budget: { total: 5, currency: 'EUR' } }),
    code: 'CURRENCY_MISMATCH',
    field: 'budget.currency',
    says: 'pays in USD',
  },
  {
    what: 'a tenth of a cent',
    ...wrong(create, { budget: { total: 5.001 } }),
    field: 'budget.total',
    says: '2 decimals',
  },
  {
    what: 'a country that is none',
    ...wrong(discover, { countries: ['ZZ'] }),
    field: 'countries.0',
    says: 'such as US',
  },
  {
    what: 'a country by name',
    ...wrong(create, { constraints: { geo_countries: ['Germany'] } }),
    field: 'constraints.geo_countries.0',
    says: 'two-letter',
  },
  {
    what: 'a channel nobody has',
    ...wrong(discover, { channels: ['tv'] }),
    field: 'channels.0',
    says: 'linear_tv',
  },
  {
    what: 'too many storefronts',
    ...wrong(discover, { storefrontIds: Array.from({ length: 51 }, () => 1) }),
    field: 'storefrontIds',
    says: '50 entries at the most',
  },
  {
    what: 'a price model nobody has',
    ...wrong(discover, { pricingModel: 'cheap' }),
    field: 'pricingModel',
    says: 'cpm',
  },
  {
    what: 'a wait for an hour',
    ...wrong(discover, { waitSeconds: 3600 }),
    field: 'waitSeconds',
    says: '210 at the most',
  },
  {
    what: 'no advertiser',
    ...wrong(discover, { advertiserId: null }),
    field: 'advertiserId',
    says: 'advertiser_list',
  },
  {
    what: 'a brief for a session that is open',
    ...wrong(discover, ({ discoveryId }) => ({ discoveryId, brief: 'x' })),
    field: 'brief',
    says: 'Leave out brief',
  },
  {
    what: 'more than a page may hold',
    ...wrong(advertisers, { limit: 101 }),
    field: 'limit',
    says: 'limit: 100 at the most',
  },
  { what: 'half a row', ...wrong(advertisers, { take: 1.5 }), field: 'take', says: 'Give a whole number' },
  { what: 'a negative skip', ...wrong(campaigns, { offset: -1 }), field: 'offset', says: '0 at the least' },
  {
    what: 'a state nobody has',
    ...wrong(campaigns, { status: ['RUNNING'] }),
    field: 'status.0',
    says: 'ACTIVE',
  },
  {
    what: 'ALL in a change',
    tool: 'advertiser_update',
    args: ({ advertiserId }) => ({ advertiserId, status: 'ALL' }),
    field: 'status',
    says: 'ACTIVE, ARCHIVED',
    next: { args: ({ advertiserId }) => ({ advertiserId, status: 'active' }) },
  },
  {
    what: 'a bid for a fixed price',
    ...chooseWith({ bidPrice: 5 }),
    field: 'products.0.bidPrice',
    says: 'leave the bid out',
  },
  {
    what: 'a bid of nothing',
    ...chooseWith({ bidPrice: 0 }),
    field: 'products.0.bidPrice',
    says: 'More than 0',
  },
  {
    what: 'an option that is not there',
    ...chooseWith({ pricingOptionId: 'none' }),
    field: 'products.0.pricingOptionId',
    says: 'Give one of: ',
  },
  {
    what: 'nothing chosen',
    ...wrong(choose, { products: [] }),
    field: 'products',
    says: '1 entry at the least',
  },
  {
    what: 'channels that its products do not run on',
    ...wrong(buying, { constraints: { channels: ['ctv'] } }),
    field: 'constraints.channels',
    says: 'Give other constraints, or leave the product out: discovery_remove_products drops one',
  },
  {
    what: 'countries that its products do not run in',
    ...wrong(buying, { constraints: { geo_countries: ['FR'] } }),
    field: 'constraints.geo_countries',
    says: 'repeat the call',
  },
  {
    what: 'choices by id alone',
    ...wrong(choose, ({ productId }) => ({ products: [productId] })),
    field: 'products.0',
    says: 'Give an object with productId',
  },
  {
    what: 'a short secret',
    ...wrong(webhook, { secret: 'short' }),
    field: 'secret',
    says: 'Give a secret of 16 to 256 characters',
  },
  {
    what: 'a webhook without https',
    ...wrong(webhook, { url: 'http://hooks.example/in' }),
    field: 'url',
    says: 'https',
  },
  {
    what: 'an event nobody sends',
    ...wrong(webhook, { eventTypes: ['campaign.done'] }),
    field: 'eventTypes.0',
    says: 'discovery.revision',
  },
  {
    what: 'an action nobody takes',
    ...wrong(log, { actions: ['READ'] }),
    field: 'actions.0',
    says: 'CREATE',
  },
];

export const mistakes: readonly Mistake[] = [...ofIds, ...ofNames, ...ofValues, ...ofSellers];
