import { describe, expect, test } from 'vitest';
import { isOverMcp } from '../../tools/core/define.ts';
import { jsonSchema } from '../../tools/core/json-schema.ts';
import { tools } from '../../tools/registry.ts';
import { partsOf } from '../support/schema-walk.ts';

/** Lists that neither page nor have a short form, each with what keeps it short. */
const BOUNDED: Readonly<Record<string, string>> = {
  'campaign_get mediaBuys': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_create mediaBuys': 'none yet: it was made by this call',
  'campaign_execute mediaBuys': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_execute errors': 'DISCOVERY_CHOICES_PER_SESSION: one of each of them',
  'discovery_add_products products': 'DISCOVERY_CHOICES_PER_SESSION',
  'discovery_remove_products products': 'DISCOVERY_CHOICES_PER_SESSION',
  'product_query products': 'pagination.max_results: 100 at the most',
  'product_query proposals': '50 of a session, on the first page',
  'product_query refinement_applied': 'its own input: 100',
  'product_query incomplete': 'ten of each seller that was asked',
  'product_query ext.interchange.agent_results': 'one a seller, with debug',
  'product_query ext.interchange.pending_agents': 'one a seller that was asked',
  'product_query ext.interchange.seller_notes': 'one a seller that was asked',
  'product_query ext.interchange.storefront_results': 'one a seller that was asked',
  'media_buy_create_batch mediaBuyRefs': '100, and mediaBuyRefsTruncated',
  'media_buy_create_batch errors': 'DISCOVERY_CHOICES_PER_SESSION: one of each of them',
  'campaign_get storefronts': 'the input of campaign_create',
  'campaign_create storefronts': 'its own input',
  'storefront_get sources': 'SOURCES_PER_STOREFRONT',
  'storefront_get customerAccounts': 'one of each account of the caller',
  'storefront_record_create coverageDeclarations': 'its own input',
  'storefront_record_get coverageDeclarations': 'the input of storefront_record_update',
  'storefront_record_update coverageDeclarations': 'its own input',
  'account_link_get sources': 'one a link',
  'account_link_create sources': 'one a link',
  'advertiser_create linkedAccounts': '100 an advertiser',
  'advertiser_create frequencyCaps': 'its own input: 20',
  'advertiser_create utmConfig': 'its own input: 20',
  'advertiser_get linkedAccounts': '100 an advertiser',
  'advertiser_get frequencyCaps': 'the input of advertiser_create: 20',
  'advertiser_get utmConfig': 'the input of advertiser_create: 20',
  'advertiser_update linkedAccounts': '100 an advertiser',
  'advertiser_update frequencyCaps': 'its own input: 20',
  'advertiser_update utmConfig': 'its own input: 20',
  'advertiser_restore linkedAccounts': '100 an advertiser',
  'advertiser_restore frequencyCaps': 'the input of advertiser_create: 20',
  'advertiser_restore utmConfig': 'the input of advertiser_create: 20',
  'campaign_create frequencyCaps': 'the input of campaign_create and campaign_update: 20',
  'campaign_create utmConfig.params': 'the input of campaign_create and campaign_update: 20',
  'campaign_get frequencyCaps': 'the input of campaign_create and campaign_update: 20',
  'campaign_get utmConfig.params': 'the input of campaign_create and campaign_update: 20',
  'campaign_update frequencyCaps': 'the input of campaign_create and campaign_update: 20',
  'campaign_update utmConfig.params': 'the input of campaign_create and campaign_update: 20',
  'campaign_create constraints.geo_metros': 'the input of campaign_create and campaign_update',
  'campaign_create constraints.geo_metros_exclude': 'the input of campaign_create and campaign_update',
  'campaign_create constraints.geo_postal_areas': 'the input of campaign_create and campaign_update',
  'campaign_create constraints.geo_postal_areas_exclude': 'the input of campaign_create and campaign_update',
  'campaign_create mediaBuyRefs': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_create pacingPeriods.periods': '52 periods, its input',
  'campaign_create performanceConfig.optimizationGoals': 'the input of campaign_create and campaign_update',
  'campaign_create products': 'DISCOVERY_CHOICES_PER_SESSION',
  'campaign_get constraints.geo_metros': 'the input of campaign_create and campaign_update',
  'campaign_get constraints.geo_metros_exclude': 'the input of campaign_create and campaign_update',
  'campaign_get constraints.geo_postal_areas': 'the input of campaign_create and campaign_update',
  'campaign_get constraints.geo_postal_areas_exclude': 'the input of campaign_create and campaign_update',
  'campaign_get mediaBuyRefs': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_get pacingPeriods.periods': '52 periods, its input',
  'campaign_get performanceConfig.optimizationGoals': 'the input of campaign_create and campaign_update',
  'campaign_get products': 'DISCOVERY_CHOICES_PER_SESSION',
  'campaign_update constraints.geo_metros': 'the input of campaign_create and campaign_update',
  'campaign_update constraints.geo_metros_exclude': 'the input of campaign_create and campaign_update',
  'campaign_update constraints.geo_postal_areas': 'the input of campaign_create and campaign_update',
  'campaign_update constraints.geo_postal_areas_exclude': 'the input of campaign_create and campaign_update',
  'campaign_update mediaBuyRefs': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_update pacingPeriods.periods': '52 periods, its input',
  'campaign_update performanceConfig.optimizationGoals': 'the input of campaign_create and campaign_update',
  'campaign_update products': 'DISCOVERY_CHOICES_PER_SESSION',
  'campaign_update storefronts': 'its own input',
  'discovery_apply_proposal products': 'DISCOVERY_CHOICES_PER_SESSION',
  'campaign_update mediaBuyResults': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_update mediaBuys': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_cancel mediaBuyResults': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_pause mediaBuyResults': 'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_reactivate mediaBuyResults':
    'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_get_delivery delivery.mediaBuys':
    'DISCOVERY_CHOICES_PER_SESSION: a media buy a seller of what was chosen',
  'campaign_auto_select_products selectedProducts': 'DISCOVERY_CHOICES_PER_SESSION',
  'media_buy_get_packages packages': 'twice what was ordered, and 60',
  'media_buy_update packages': 'twice what was ordered, and 60',
  'media_buy_update products': 'twice what was ordered, and 60',
  'media_buy_update changes': 'those that wait, and the last ones',
  'media_buy_update history': 'the last 20 versions',
  'media_buy_update creatives': 'none yet',
  'media_buy_update optimization_goals': 'the input of campaign_create and campaign_update',
  'media_buy_update productValidationDebug': 'none yet',
  'account_get credit': 'the currencies that the operator gave money in',
  'account_get spendLimits': 'the currencies that the operator set a limit in',
  'discovery_product_get formatIds': 'one product, as its seller sends it: DISCOVERY_BYTES_PER_SELLER',
  'discovery_product_get formatOptions': '20 of a product are read',
  'discovery_product_get optimizationVendorMetrics': '20 of a product are read',
  'discovery_product_get productCardDetailed.carousel_images': '5 of a product are read',
  'discovery_product_get productCardDetailed.specifications': '20 of a product are read',
  'discovery_product_get pricingOptions': 'one product, as its seller sends it: DISCOVERY_BYTES_PER_SELLER',
  'discovery_product_get publisherProperties':
    'one product, as its seller sends it: DISCOVERY_BYTES_PER_SELLER',
  ...Object.fromEntries(
    ['create', 'get', 'revoke', 'update'].flatMap((verb) => [
      [`proposal_${verb} snapshot.products`, 'one plan of 30 products at the most'],
      [`proposal_${verb} snapshot.proposals`, 'one plan'],
      [`proposal_${verb} allocations`, '30 products at the most'],
    ]),
  ),
  'product_create pricingOptions': 'its own input',
  'product_update pricingOptions': 'its own input',
};

/** The outermost lists of records in an answer. */
function recordLists(output: (typeof tools)[number]['output']): string[] {
  const lists = partsOf(jsonSchema(output, 'output')).filter(
    ({ schema }) => schema['type'] === 'array' && isRecord(Object(schema['items'])),
  );
  const names = lists.map(({ path }) => path.replace(/^[A-Z]\w*\./, ''));
  return names.filter((name) => !name.includes('[]'));
}

const isRecord = (items: object) => '$ref' in items || 'properties' in items;

const takes = (field: string) => (tool: (typeof tools)[number]) => field in tool.input.shape;

describe('an answer that can be long', () => {
  const short = tools.filter(isOverMcp).filter((tool) => !takes('take')(tool) && !takes('detail')(tool));
  const lists = short.flatMap(({ name, output }) => recordLists(output).map((path) => `${name} ${path}`));

  test('pages, or has a short form, or is short by what is said here', () => {
    expect(lists.sort()).toEqual(Object.keys(BOUNDED).sort());
  });

  test('says the same words wherever it has a short form', () => {
    for (const { input } of tools.filter(takes('detail'))) {
      const { enum: words } = Object(Object(jsonSchema(input, 'input')['properties'])['detail']);
      expect(words).toEqual(['compact', 'full']);
    }
  });
});
