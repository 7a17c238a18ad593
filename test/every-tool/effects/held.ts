/** A test elsewhere that holds what fields do: by its file below test/ and by its title as it is written there. */
export interface Held {
  readonly fields: readonly string[];
  readonly file: string;
  readonly test: string;
}

const held = (file: string, test: string, ...fields: readonly string[]): Held => ({ file, test, fields });

const inTools =
  (folder: string) =>
  (file: string, test: string, ...fields: readonly string[]) =>
    held(`tools/${folder}/${file}.test.ts`, test, ...fields);

const advertisers = inTools('advertisers');
const campaigns = inTools('campaigns');
const mediaBuys = inTools('media-buys');
const discovery = inTools('discovery');
const webhooks = inTools('webhooks');
const auditLogs = inTools('audit-logs');

const pages = held(
  'every-tool/paging.test.ts',
  'of %s are cut with take and skip, and with limit and offset',
  'take',
  'skip',
);

const saved = advertisers(
  'advertiser-create',
  'that nobody knows is refused with 422, makes nothing, and is taken once it is confirmed',
  'saveBrand',
);

const currency = campaigns(
  'campaign-update',
  '400 CURRENCY_MISMATCH for a budget in another currency than the advertiser’s',
  'budget.currency',
);

const narrowed = [
  discovery(
    'browse-products',
    'narrows to a publisher with its subdomains, and to storefronts',
    'publisherDomain',
    'storefrontIds',
  ),
  discovery(
    'browse-products',
    'narrows to storefronts by name, in any case, beside those by id',
    'storefrontNames',
  ),
  discovery(
    'browse-products',
    'narrows to a pricing model, and counts products, publishers and prices anew',
    'pricingModel',
  ),
];

const paged = [
  discovery(
    'discover-products',
    'pages over groups and over the products of each, and a page beyond the end is empty',
    'groupLimit',
    'groupOffset',
    'productsPerGroup',
    'productOffset',
  ),
  discovery('browse-products-sellers', 'go on with agentOffset, each of them once', 'agentOffset'),
  discovery(
    'discover-products-landings',
    'with waitMode long a call waits for the last seller, and with quick for what has landed',
    'waitMode',
  ),
];

const inShort = discovery(
  'discover-products-notes',
  'says what all products of a group have in common once, in the compact form',
  'detail',
);

const remade = mediaBuys(
  'refused-orders-made-anew',
  'is given another product, is a draft with it at once, and is ordered with it',
  'products[].remove',
);

const inEntries = (one: Held): Held => ({
  ...one,
  fields: one.fields.map((field) => `mediaBuys[].${field}`),
});

/** By tool. */
export const heldElsewhere: Readonly<Record<string, readonly Held[]>> = {
  advertiser_list: [
    advertisers('advertiser-list', 'narrows with %s', 'status', 'name', 'sandbox'),
    advertisers(
      'linked-accounts',
      'narrows the list to advertisers that have one at a storefront, or at a sales agent',
      'linkedAccountPartnerId',
    ),
    advertisers('advertiser-list', 'shows with includeBrand the brand of each', 'includeBrand'),
    pages,
  ],
  advertiser_create: [saved],
  advertiser_update: [saved],
  campaign_list: [
    campaigns(
      'campaign-list',
      'narrows by advertiser, part of the name, and status',
      'advertiserId',
      'name',
      'status',
    ),
    campaigns(
      'campaign-list',
      'narrows by mode and management, of which there is one each',
      'mode',
      'management',
    ),
    campaigns(
      'campaign-list',
      'narrows to campaigns with a media buy in one of the states',
      'mediaBuyStatus',
    ),
    campaigns('campaign-list', 'shows the archived when asked', 'includeArchived'),
    campaigns('campaign-list', 'gives only the fields that are asked for, beside the id', 'fields'),
    campaigns(
      'campaign-list-cursor',
      'goes through every campaign once, in the order of the whole list, page after page',
      'cursor',
    ),
    pages,
  ],
  campaign_create: [
    currency,
    campaigns(
      'campaign-create',
      'chooses products of its session with productIds, and leaves what was chosen before as it was',
      'productIds',
    ),
  ],
  campaign_update: [
    currency,
    campaigns(
      'campaign-update',
      '409 CONFLICT for a change made on an older revision names the one that holds',
      'revision',
    ),
    mediaBuys('audited-changes', 'tells why in the words of the call where none are of that buy', 'reason'),
    campaigns('campaign-update', 'VALIDATION_ERROR for %j, with %i, names %j', 'mode'),
    campaigns(
      'campaign-refresh',
      '200: asks its sellers, shows what they say, and leaves the campaign at its revision',
      'refresh',
    ),
    campaigns(
      'told-to-sellers',
      'does not keep tags from being changed: each by its name, and all of them where that is asked',
      'utmConfig.deleteMissing',
    ),
    campaigns('campaign-update', 'takes all changes of a call or none', 'mediaBuys[].mediaBuyId'),
    inEntries(remade),
  ],
  campaign_get: [
    campaigns('campaign-get', 'gives only the fields that are asked for, beside the id', 'fields'),
    campaigns(
      'campaign-get',
      'says in the compact form once whom all packages are to reach, and whole where fields are named',
      'detail',
    ),
    campaigns(
      'told-to-sellers',
      'is read anew with fresh, and shown by itself and with more of its products',
      ...['fresh', 'mediaBuyId', 'includeProductDetails'],
    ),
  ],
  campaign_get_delivery: [
    campaigns(
      'campaign-get-delivery',
      'asks for the days and placements that are named, and keeps its own sums',
      ...['startDate', 'endDate', 'placementBreakdown', 'placementLimit', 'placementSortBy'],
    ),
  ],
  campaign_execute: [
    campaigns('told-to-sellers', 'is told with debug, with every answer to it, where it failed', 'debug'),
    held(
      'attacks/orders-out-of-bounds.test.ts',
      'of what another campaign bought from the same session wants to be meant',
      'rebuy',
    ),
  ],
  storefront_list: [
    inTools('storefronts')(
      'storefront-list',
      'narrows with %s',
      ...['name', 'status', 'channel', 'region', 'visibility', 'publisherDomain'],
    ),
    held('mcp/short-answers.test.ts', 'of %s costs 2,000 tokens at the most', 'detail'),
    pages,
  ],
  product_list: [
    inTools('products')('product-list', 'narrows to a status', 'status'),
    held('mcp/short-answers.test.ts', 'of %s costs 2,000 tokens at the most', 'detail'),
    pages,
  ],
  media_buy_update: [
    mediaBuys(
      'media-buy-update',
      'is refused a change that was made on a version which holds no more, with the one that does',
      'version_hash',
    ),
    remade,
  ],
  discover_products: [
    discovery(
      'discover-products',
      'sums up the prices in the advertiser’s currency and leaves the others out',
      'advertiserId',
    ),
    discovery(
      'discover-products',
      'continues a session by its address, with another page and without asking anybody again',
      'discoveryId',
    ),
    discovery(
      'discover-products-filters',
      'hold where nothing else is said: its brief, its dates and its budget',
      'campaignId',
    ),
    discovery(
      'discover-products',
      'hands the brief, the filters, the brand and the time there is on to the seller',
      'brief',
      'flightDates.startDate',
      'flightDates.endDate',
    ),
    discovery('discover-products-filters', 'give way to what is said, each by itself', 'budget'),
    discovery(
      'discover-products-filters',
      'keep what is of %s, and what says nothing of it',
      'channels',
      'countries',
    ),
    ...narrowed,
    ...paged,
    inShort,
    discovery(
      'discover-products-screening',
      'leaves out what the instructions exclude, with every proposal that holds it, and says how it read them',
      'screening.instructions',
    ),
    discovery(
      'discover-products-screening',
      'gives up after the last round, and asks nobody where there are none',
      'screening.max_refinement_rounds',
    ),
    discovery(
      'discover-products-screening',
      'shows the answers beyond max_screening_passes as they are',
      'screening.max_screening_passes',
    ),
    discovery(
      'discover-products-screening',
      'judges and ranks what the screening let through',
      'evaluation.instructions',
      'evaluation.ranking.instructions',
    ),
    discovery(
      'discover-products-screening',
      'leaves the enrichment out where it is not wanted',
      'evaluation.enrichment',
    ),
    discovery(
      'discover-products-screening',
      'evaluates as often as it is told to: the rounds of each answer, and the answers',
      'evaluation.max_refinement_rounds',
      'evaluation.max_evaluation_passes',
    ),
    discovery(
      'discover-products-by-code',
      '200: shows what the seller offers and nothing else, whatever is asked, and asks nobody',
      'proposalCode',
    ),
    held(
      'rules/waiting-for-sellers.test.ts',
      'as many seconds as are given, whatever else is said',
      'waitSeconds',
    ),
    held(
      'rules/waiting-for-sellers.test.ts',
      'as long as can be where it is to answer once all have',
      'progressive',
    ),
    discovery(
      'discover-products-refine',
      'asks the seller to refine, and shows what it brings in place of what it brought before',
      'refine[].scope',
      'refine[].ask',
    ),
    discovery(
      'discover-products-refine',
      'leaves a product out without asking the seller',
      'refine[].id',
      'refine[].action',
    ),
    discovery('discover-products-debug', 'says nothing of it without debug', 'debug'),
  ],
  browse_products: [
    discovery(
      'browse-products',
      'gives with sinceRevision only the groups that landed after it, with the revision of now',
      'sinceRevision',
    ),
    ...narrowed,
    ...paged,
    discovery('browse-products-sellers', 'are ten in short in the compact form', 'detail'),
    discovery('browse-products', 'waits for the end of the session when told to', 'waitSeconds'),
    discovery('browse-products', 'tells with debug what each seller did', 'debug'),
  ],
  discovery_add_products: [
    discovery(
      'discovery-add-products',
      'tells a product of two sellers apart by its seller or by its group',
      'products[].salesAgentId',
      'products[].groupId',
    ),
    discovery(
      'discovery-add-products',
      '200: takes the seller of a storefront, where several have the product, and shows which it was',
      'products[].storefrontId',
    ),
    discovery(
      'discovery-add-products',
      'takes a product of the group that is named, and of no other',
      'products[].groupName',
    ),
    discovery('discovery-add-products-campaign', 'has the draft buy the choice from now on', 'campaignId'),
    discovery('discovery-add-products', 'drops what was chosen before with replace', 'replace'),
  ],
  discovery_list_products: [
    discovery(
      'discovery-list-products',
      'leaves out in the compact form where each was found and when it was chosen',
      'detail',
    ),
    discovery('discovery-list-products', 'says of each page what the whole choice comes to', 'take', 'skip'),
  ],
  discovery_apply_proposal: [
    discovery(
      'discovery-apply-proposal',
      'chooses the products, shares the budget out to the cent and bids the floor in an auction',
      'proposalId',
      'totalBudget',
    ),
    discovery(
      'discovery-apply-proposal',
      'takes the proposal of the seller that is named, where several use its id',
      'salesAgentId',
    ),
    discovery('discovery-apply-proposal', 'adds to the choice, or takes its place with replace', 'replace'),
  ],
  webhook_create: [
    held(
      'outbound/webhook-delivery.test.ts',
      'is signed over its raw body, without a prefix and without a timestamp',
      'secret',
    ),
  ],
  webhook_list: [
    webhooks('webhook-list', 'says in the compact form which there are and whether they work', 'detail'),
    pages,
  ],
  webhook_delivery_list: [
    webhooks(
      'webhook-delivery-list',
      'gives what became of each delivery with 200, newest first, a page at a time',
      'take',
      'skip',
    ),
    webhooks('webhook-delivery-list', 'gives those in one state, counted and paged by themselves', 'state'),
  ],
  audit_log_list: [
    auditLogs('audit-log-list', 'narrows to an advertiser and to an object', 'advertiserId', 'resourceId'),
    auditLogs(
      'audit-log-list',
      'narrows to a campaign with its media buys and the spends that waited for it',
      'campaignId',
    ),
    auditLogs(
      'audit-log-list',
      'narrows with %s',
      ...['resourceTypes', 'startDate', 'endDate', 'actions', 'outcome', 'actorOrigin'],
    ),
    auditLogs(
      'audit-log-list',
      'names the person who did it, and nobody where it was none',
      'actorUserId',
      'actorUserEmail',
    ),
    auditLogs('audit-log-list', 'leaves out what nobody decides by in the compact form', 'detail'),
    pages,
  ],
};

/** What is taken where there is nothing yet that it could change, with why. */
export const withoutEffect: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  campaign_create: { 'utmConfig.deleteMissing': 'A new campaign has no tags that could stay.' },
};
