/** What an operation that is not served belongs to: the first pattern that its address fits. */
const SUBJECTS: readonly (readonly [pattern: RegExp, subject: string])[] = [
  [/creative/i, 'Creatives'],
  [/property-lists|property-roster/, 'Property lists'],
  [/audiences/, 'Audiences'],
  [/catalogs/, 'Catalogs'],
  [/data-delivery|reporting-bucket/, 'Data delivery'],
  [/syndicat/, 'Syndication'],
  [/event-sources|log-event|events\/summary|measurement|test-cohorts|context-records/, 'Measurement'],
  [/billing|house-discounts|wholesale-pricing/, 'Billing'],
  [/signals/, 'Signals'],
  [/targeting/, 'Targeting dimensions'],
  [/notification/, 'Notifications'],
  [/moderation/, 'Moderation'],
  [/optimization-suggestions|update-proposals/, 'Suggestions and proposals'],
  [/reporting|analytics/, 'Reporting'],
  [/activity\/calls|buyer\/tasks/, 'Activity'],
  [/account-mappings|storefront-connections|connection|credentials$/, 'Connections and accounts at sellers'],
  [/advertisers\/\{\}\/accounts/, 'Connections and accounts at sellers'],
  [/readiness|auth\//, 'Readiness and signup'],
  [/\/accounts/, 'Accounts of an organization'],
  [/buyer\/advertisers|all-advertisers|brands/, 'Advertisers'],
  [/buyer\/campaigns/, 'Campaigns'],
  [/buyer\/media-buys/, 'Media buys'],
  [/buyer\/(discovery|products|storefronts)/, 'Discovery'],
  [/esa|modular|feed|ad-server|adapter-config|mapping/, 'Ad servers and modular sources'],
  [/inventory-sources|storefront\/agents|discover-agents|publishers|resolve-brand/, 'Inventory sources'],
  [
    /approval|acceptance-policy|instructions|intelligence-runs|pending-operations|learned|brief-artifacts/,
    'Decisions of sellers',
  ],
  [/demand-inbox|proposal|storefront\/media-buys/, 'Demand and proposals'],
  [/demo|simulator|test-/, 'Demonstrations and tests'],
  [/ \/api\/v2\/storefront$/, 'The storefront’s record'],
];

/** Where an operation stands that nothing serves. */
export function whyNotServed(address: string): string {
  const [, subject] = SUBJECTS.find(([pattern]) => pattern.test(address)) ?? [];
  if (subject === undefined) throw new Error(`${address} belongs to no subject: name one in not-served.ts.`);
  return `Not built: ${subject}.`;
}
