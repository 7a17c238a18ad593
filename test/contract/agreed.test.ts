import { describe, expect, test } from 'vitest';
import { routesOf } from '../../adapters/rest/routes.ts';
import agreed from '../../docs/contract-operations.json' with { type: 'json' };
import { permissions } from '../../store/api-keys.ts';
import { errorCatalogue } from '../../tools/core/errors/catalogue.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { streams, tools } from '../../tools/registry.ts';
import { asSchema, partsOf } from '../support/house/schema-walk.ts';

/**
 * Every operation that was agreed with the callers of such services, served yet or not, with the statuses of its
 * success, copied from there.
 */
const AGREED: Readonly<Record<string, readonly number[]>> = agreed;

/**
 * Addresses of our own: people and how they come in, credentials, spends that wait for another person, and the products
 * of the embedded seller, are made and ended here.
 */
const OWN_ADDRESSES = [
  'DELETE /api/v2/invitations/{}',
  'DELETE /api/v2/legacy-keys/{}',
  'DELETE /api/v2/m2m-applications/{}',
  'DELETE /api/v2/m2m-applications/{}/secrets/{}',
  'DELETE /api/v2/members/{}',
  'DELETE /api/v2/org-api-keys/{}',
  'DELETE /api/v2/service-tokens/{}',
  'DELETE /api/v2/storefront/join-links/{}',
  'DELETE /api/v2/storefront/products/{}',
  'GET /api/v2/buyer/events',
  'GET /api/v2/buyer/spend-approvals',
  'GET /api/v2/buyer/spend-approvals/{}',
  'GET /api/v2/buyer/webhook-subscriptions/{}/deliveries',
  'GET /api/v2/domains',
  'GET /api/v2/invitations',
  'GET /api/v2/join-requests',
  'GET /api/v2/legacy-keys',
  'GET /api/v2/m2m-applications',
  'GET /api/v2/m2m-applications/{}',
  'GET /api/v2/members',
  'GET /api/v2/org-api-keys',
  'GET /api/v2/org-api-keys/widget-token',
  'GET /api/v2/service-tokens',
  'GET /api/v2/storefront/join-links',
  'GET /api/v2/storefront/products/{}',
  'GET /api/v2/storefront/sponsored-buyers',
  'PATCH /api/v2/domains/{}',
  'PATCH /api/v2/join-requests/{}',
  'PATCH /api/v2/members/{}',
  'POST /api/v2/accept-tos',
  'POST /api/v2/accounts/{}/switch',
  'POST /api/v2/buyer/campaigns/{}/cancel',
  'POST /api/v2/buyer/spend-approvals/{}/approve',
  'POST /api/v2/buyer/spend-approvals/{}/reject',
  'POST /api/v2/buyer/webhook-subscriptions/{}/test',
  'POST /api/v2/domains',
  'POST /api/v2/invitations',
  'POST /api/v2/m2m-applications',
  'POST /api/v2/m2m-applications/{}/secrets',
  'POST /api/v2/org-api-keys',
  'POST /api/v2/service-tokens',
  'POST /api/v2/storefront/join-links',
  'POST /api/v2/storefront/products',
  'POST /api/v2/storefront/sponsored-buyers/{}/{}',
  'PUT /api/v2/storefront/products/{}',
];

interface Fields {
  readonly agreed: string;
  /** Ours beyond it. */
  readonly own?: string;
}

/** The fields of each answer, as REST shows it. */
const ANSWERS: Readonly<Record<string, Fields>> = {
  advertiser_get: {
    agreed:
      'id name description status createdAt updatedAt linkedBrand brand brandWarning sandbox optimizationApplyMode primaryCurrency currencyLocked linkedAccounts utmConfig frequencyCaps',
    own: 'warnings revision',
  },
  advertiser_list: { agreed: 'items total hasMore nextOffset', own: 'guidance' },
  brand_resolve: {
    agreed: 'resolved domain brandName logoUrl logoBackground manifest registryEntry warning error',
  },
  discover_products: {
    agreed:
      'discoveryId productGroups totalGroups hasMoreGroups summary budgetContext proposals incompleteAgents agentResults refinementApplied revision resultsComplete pendingAgents retryWithLongerWaitAvailable progress guidance connectionIssues diagnostics',
    own: 'createdAt briefMatched sellerNotes moreAgents screening evaluation sandbox',
  },
  discovery_list_products: {
    agreed: 'discoveryId products totalProducts budgetContext campaignBound campaignWarning',
    own: 'warnings sandbox total hasMore nextOffset',
  },
  discovery_apply_proposal: {
    agreed:
      'discoveryId proposal totalBudgetUsed productsApplied productsSkipped products totalProducts budgetContext campaignBound campaignWarning',
    own: 'warnings sandbox hasMoreProducts',
  },
  campaign_list: { agreed: 'campaigns total hasMore nextCursor', own: 'guidance' },
  campaign_get: { agreed: 'campaign' },
  campaign_execute: {
    agreed: 'campaignId previousStatus newStatus success mediaBuysExecuted reason errors warnings',
    own: 'mediaBuys approval nextStep sandbox',
  },
  campaign_get_media_buy_status: {
    agreed:
      'campaign_id campaign_status operational_status media_buys agents_queried errors blockers pending_creative_reviews has_upstream_media_buy has_delivery',
  },
  storefront_list: { agreed: 'items total hasMore nextOffset' },
  storefront_get: {
    agreed:
      'id platformId name publisherDomain brandName logoUrl logoBackground description website brandColors discoveryCard displayStatus readiness channels adapterProviderType adapterSourceKind creativeCapabilities adapterConnection supportedRoutingTypes supportedBilling regions connected requiresCredentials customerAccounts adcpCapabilities',
    own: 'acceptedCountries acceptsAllCountries sourceCount connectedSourceCount sources',
  },
  storefront_record_get: {
    agreed:
      'storefrontId platformId name publisherDomain operatorDomain brandName logoUrl membershipStatus demandContactName demandContactEmail adapterProviderType adapterSourceKind adapterCredentialMode advertiseAsAgent businessProfile regions acceptedCountries acceptsAllCountries advertisingPolicyDisclosure advertisedCountries advertisedChannels description channels website discoveryCard operatorDomainVerified plan transacting isPaused archivedAt displayStatus capabilities configuredCapabilities creativeApproval mediaBuyApproval capabilitiesLocked createdAt updatedAt defaultCurrency',
    own: 'revision',
  },
  inventory_source_get: {
    agreed:
      'id sourceId name executionType type status agentId endpointUrl protocol description authenticationType authConfigured createdAt updatedAt',
    own: 'health revision warnings',
  },
  webhook_list: { agreed: 'subscriptions', own: 'total' },
  webhook_delete: { agreed: 'success id', own: 'sandbox' },
  audit_log_list: { agreed: 'logs total' },
  storefront_audit_log_list: { agreed: 'logs total' },
};

/** The fields of the records inside the answers. */
const RECORDS: Readonly<Record<string, Fields & { readonly of: string }>> = {
  AdvertiserSummary: {
    of: 'advertiser_list',
    agreed:
      'id name status sandbox brand linkedBrand primaryCurrency currencyLocked createdAt updatedAt linkedAccountCount',
    own: 'description optimizationApplyMode brandWarning utmConfig frequencyCaps revision',
  },
  Campaign: {
    of: 'campaign_create',
    agreed:
      'campaignId advertiserId name status mode management revision brief flightDates budget allocatedBudget unallocatedBudget pacingPeriods constraints performanceConfig storefronts optimizationApplyMode discoveryId productCount products mediaBuyRefs mediaBuys createdAt updatedAt frequencyCaps',
    own: 'warnings utmConfig campaignType sandbox pendingUpdate',
  },
  CampaignSummary: {
    of: 'campaign_list',
    agreed:
      'campaignId advertiserId name status mode management flightDates budget constraints productCount createdAt updatedAt',
    own: 'campaignType sandbox waitingApprovals',
  },
  Product: {
    of: 'discover_products',
    agreed:
      'productId name channel channels cpm currency salesAgentId salesAgentName storefrontId storefrontName description deliveryType briefRelevance pricingOptions estimatedExposures publisherProperties isSandbox inventoryType formatTypes formatOptions expiresAt pricingScope productCard productCardDetailed forecast bookability',
    own: 'formatIds countries notBuyable briefMatched optimizationMetrics reachUnits optimizationTargets viewDurations maxOptimizationGoals optimizationVendorMetrics reportingDelayMinutes screening evaluation',
  },
  ListedStorefront: {
    of: 'storefront_list',
    agreed:
      'id platformId name publisherDomain brandName logoUrl logoBackground description website brandColors displayStatus readiness adapterProviderType adapterSourceKind creativeCapabilities adapterConnection supportedRoutingTypes supportedBilling discoveryCard channels regions sourceCount connectedSourceCount',
    own: 'acceptedCountries acceptsAllCountries',
  },
  ListedWebhookSubscription: {
    of: 'webhook_list',
    agreed: 'id url eventTypes status failureCount lastSuccess lastFailure createdAt updatedAt',
    own: 'lastFailureReason sandbox',
  },
  AuditLog: {
    of: 'audit_log_list',
    agreed:
      'id timestamp createdAt action resourceType resourceId resourceName parentType advertiserId userId userEmail userName serviceTokenId serviceTokenName actorOrigin outcome parameters changes description',
    own: 'actorName errorCode credentialId credentialName tool requestId reason changed',
  },
  StorefrontAuditLog: {
    of: 'storefront_audit_log_list',
    agreed:
      'id timestamp createdAt action resourceType resourceId resourceName userId actorOrigin outcome parameters changes description',
    own: 'actorName userEmail userName serviceTokenId serviceTokenName errorCode credentialId credentialName tool requestId reason changed',
  },
};

const MEDIA_BUY_STATUSES =
  'DRAFT PENDING_APPROVAL INPUT_REQUIRED ACTIVE PAUSED COMPLETED CANCELED FAILED REJECTED ARCHIVED';
const PRICING_MODELS = 'cpm vcpm cpc cpcv cpv cpp cpa flat_rate time';

/** Closed lists, by the tool and the path of the field. */
const VALUES: readonly (readonly [tool: string, io: 'input' | 'output', path: string, values: string])[] = [
  ['advertiser_list', 'input', 'status', 'ACTIVE ARCHIVED ALL'],
  ['advertiser_create', 'input', 'optimizationApplyMode', 'AUTO MANUAL'],
  ['campaign_create', 'input', 'budget.pacing', 'EVEN ASAP FRONTLOADED'],
  ['campaign_create', 'output', 'Campaign.status', 'DRAFT ACTIVE PAUSED COMPLETED CANCELED ARCHIVED'],
  ['media_buy_get', 'output', 'MediaBuy.status', MEDIA_BUY_STATUSES],
  ['discover_products', 'input', 'pricingModel', PRICING_MODELS],
  ['storefront_list', 'input', 'status', 'configuring transacting archived neutral paused'],
  ['inventory_source_update', 'input', 'status', 'PENDING ACTIVE DISABLED'],
  [
    'inventory_source_get',
    'output',
    'KnownInventorySource.executionType',
    'AGENT MANAGED_SALES_AGENT LINKED_STOREFRONT MODULAR_SOURCE',
  ],
  ['inventory_source_create', 'input', 'authenticationType', 'API_KEY NO_AUTH JWT OAUTH BASIC_AUTH'],
  [
    'webhook_create',
    'input',
    'eventTypes[]',
    'discovery.revision campaign.updated media_buy.updated media_buy.delivery approval.needed',
  ],
  ['webhook_list', 'output', 'ListedWebhookSubscription.status', 'active inactive failed'],
  ['audit_log_list', 'input', 'outcome', 'succeeded denied failed'],
  ['audit_log_list', 'input', 'actorOrigin', 'human agent autonomous system'],
  ['audit_log_list', 'input', 'actions[]', 'CREATE UPDATE DELETE ARCHIVE EXECUTE ACTIVATE DEACTIVATE'],
  [
    'campaign_get_media_buy_status',
    'output',
    'operational_status',
    'no_media_buys draft pending_creatives pending_start active paused completed attention_required',
  ],
];

const ERROR_CODES =
  'BAD_REQUEST VALIDATION_ERROR CURRENCY_MISMATCH UNAUTHORIZED CREDIT_LIMIT_EXCEEDED FORBIDDEN ACCESS_DENIED ' +
  'ALPHA_OPT_IN_REQUIRED TOS_ACCEPTANCE_REQUIRED NOT_FOUND CONFLICT PRICING_NOT_CONFIGURED ' +
  'INSUFFICIENT_MEDIA_BUDGET CAPABILITY_NOT_SUPPORTED VERSION_UNSUPPORTED RATE_LIMITED INTERNAL_ERROR ' +
  'NOT_IMPLEMENTED SERVICE_UNAVAILABLE ROUTED_AGENT_REQUIRES_OPERATOR_AUTH';

function answerOf(name: string): JsonSchema {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`No tool is called ${name}.`);
  return jsonSchema(tool.rest?.shows?.schema ?? tool.output, 'output');
}

function definition(schema: JsonSchema, name: string): JsonSchema {
  return asSchema(asSchema(schema['$defs'])[name]);
}

function fieldNames(schema: JsonSchema): string[] {
  const name = String(schema['$ref'] ?? '').replace('#/$defs/', '');
  const object = name === '' ? schema : definition(schema, name);
  return Object.keys(asSchema(object['properties'])).sort();
}

const words = ({ agreed, own = '' }: Fields) => `${agreed} ${own}`.trim().split(' ').sort();

describe('what was agreed', () => {
  const served = routesOf(tools, streams).map(({ method, path, target }) => ({
    address: `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
    status: 'tool' in target ? (target.tool.rest.status ?? 200) : 200,
  }));

  test('are the addresses of REST, and ours beyond them are few', () => {
    const beyond = served.map(({ address }) => address).filter((address) => !(address in AGREED));

    expect(beyond.sort()).toEqual(OWN_ADDRESSES);
  });

  test('are the statuses of success', () => {
    const other = served.filter(({ address, status }) => AGREED[address]?.includes(status) === false);

    expect(other).toEqual([]);
  });

  test.each(Object.entries(ANSWERS))('are the fields of %s', (name, fields) => {
    expect(fieldNames(answerOf(name))).toEqual(words(fields));
  });

  test.each(Object.entries(RECORDS))('are the fields of a %s', (name, fields) => {
    expect(fieldNames(definition(answerOf(fields.of), name))).toEqual(words(fields));
  });

  test.each(VALUES)(
    '%s takes or shows (%s) nothing beyond the list for %s',
    (name, io, ...[path, values]) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`No tool is called ${name}.`);
      const part = partsOf(jsonSchema(tool[io], io)).find((one) => one.path === path);
      const ours = part?.schema['enum'] ?? [part?.schema['const']];

      expect(Array.isArray(ours) && ours.length > 0).toBe(true);
      expect(values.split(' ')).toEqual(expect.arrayContaining(Array.isArray(ours) ? ours : []));
    },
  );

  test('are the codes of errors: no more and no fewer', () => {
    expect(Object.keys(errorCatalogue).sort()).toEqual(ERROR_CODES.split(' ').sort());
  });

  test('are the four permissions', () => {
    expect([...permissions]).toEqual(['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin']);
  });
});
