import type { McpSurface } from '../../core/surfaces.ts';

/** One of the things people come for, as the calls it takes. */
export interface Job {
  readonly name: string;
  /** Whose server has the tools of its steps. */
  readonly surface: McpSurface;
  readonly title: string;
  /** What is asked for, in one sentence. */
  readonly description: string;
  /** What whoever asks may say beforehand. */
  readonly details: readonly Detail[];
  readonly steps: readonly JobStep[];
}

export interface Detail {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
}

interface JobStep {
  readonly tool: string;
  /** What it is called for, and what to take from its answer: fields stand in backticks. */
  readonly how: string;
}

/** The main jobs. Guides, prompts, instructions and help are written from them. */
export const jobs: readonly Job[] = [
  {
    name: 'find_and_buy',
    surface: 'buyer',
    title: 'Find and buy advertising',
    description:
      'Find products that fit a brief with every seller, choose among them and buy them as a campaign.',
    details: [
      { name: 'brief', description: 'Whom the campaign is to reach, in plain words.', required: true },
      { name: 'budget', description: 'What there is to spend, with its currency.' },
      { name: 'dates', description: 'When it is to run.' },
    ],
    steps: [
      {
        tool: 'advertiser_list',
        how: 'Find the `id` of the advertiser to buy for, or make one with advertiser_create; `sandbox` true spends nothing, and buys from sellers that keep sandbox accounts.',
      },
      { tool: 'discover_products', how: 'Ask every seller at once, and keep the `discoveryId`.' },
      {
        tool: 'browse_products',
        how: 'While `resultsComplete` is false, read what lands later with `sinceRevision`.',
      },
      {
        tool: 'discovery_add_products',
        how: 'Choose products by `productId` and `salesAgentId`, each with its `budget`.',
      },
      {
        tool: 'campaign_create',
        how: 'Make a draft with the `discoveryId`, a `budget` and `flightDates`. Nothing is spent yet.',
      },
      {
        tool: 'campaign_execute',
        how: 'Say what it will cost and ask before calling it: this places the orders, each a `mediaBuyId`.',
      },
      { tool: 'campaign_get_media_buy_status', how: 'See what each seller answered, in `adcp_status`.' },
    ],
  },
  {
    name: 'see_performance',
    surface: 'buyer',
    title: 'See performance and spend',
    description: 'See what runs, what it delivered and what it cost.',
    details: [{ name: 'campaignId', description: 'The campaign to look at; all of them without it.' }],
    steps: [
      { tool: 'campaign_list', how: 'Find the campaigns by `status`, those that are ACTIVE first.' },
      {
        tool: 'campaign_get_delivery',
        how: 'Read what was delivered and what it cost, in all and by media buy: `impressions`, `spend`, `clicks`.',
      },
      {
        tool: 'campaign_get_media_buy_status',
        how: 'Ask the sellers how each buy stands; what needs attention is in `blockers`.',
      },
      { tool: 'campaign_get', how: 'Read the `budget` it is measured against, and its `mediaBuys`.' },
      { tool: 'media_buy_get', how: 'Read one buy with its `products` and `packages`.' },
    ],
  },
  {
    name: 'open_storefront',
    surface: 'storefront',
    title: 'Open a storefront',
    description: 'Set up a storefront that sells to agents, and open it for business.',
    details: [
      { name: 'name', description: 'What the storefront is called.', required: true },
      { name: 'inventory', description: 'What it has to sell, and at what prices.' },
    ],
    steps: [
      { tool: 'storefront_record_get', how: 'See whether there is one already: it has a `storefrontId`.' },
      {
        tool: 'storefront_record_create',
        how: 'Give it a `name`, a `defaultCurrency` and the countries it takes.',
      },
      {
        tool: 'inventory_source_create',
        how: 'Connect your sales agent by its `endpointUrl`, or take the embedded seller (`executionType` MANAGED_SALES_AGENT).',
      },
      {
        tool: 'product_create',
        how: 'Add each product that the embedded seller offers, with its `pricingOptions`.',
      },
      {
        tool: 'storefront_record_update',
        how: 'Set `transacting` to true: it is found and sells from now on.',
      },
      { tool: 'product_list', how: 'Check what is on offer: each of the `items`.' },
    ],
  },
];
