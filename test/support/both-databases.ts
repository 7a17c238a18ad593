/**
 * Tests outside the folders of the store, the process and the way out that prove something in which the databases
 * differ: `npm test` runs these on both, the rest of their folders on SQLite alone.
 */
export const ON_BOTH_DATABASES: Readonly<Record<string, string>> = {
  'test/tools/advertisers/brand-resolve.test.ts': 'Brands that are written over one another.',
  'test/http/api-keys.test.ts': 'A key that is revoked, expired or narrowed meanwhile is read anew.',
  'test/http/bad-addresses.test.ts': 'Ids and text in addresses that a column may not take.',
  'test/http/bad-bodies.test.ts': 'Text that PostgreSQL refuses: NUL and half a surrogate.',
  'test/http/fuzz.test.ts': 'Any text and any number reaches the queries.',
  'test/http/query-values.test.ts': 'Numbers at and beyond the end of 64 bits.',
  'test/http/refusals-in-audit-log.test.ts': 'An entry that is written beside a transaction taken back.',
  'test/mcp/session-processes.test.ts': 'Several processes on one database, where the database allows it.',
  'test/mcp/sessions.test.ts': 'Sessions that are stored, found again and expire.',
  'test/tools/advertisers/advertiser-get.test.ts': 'Ids as large as a number may be.',
  'test/tools/advertisers/advertiser-list.test.ts': 'Search by part of a name, order and pages.',
  'test/tools/advertisers/advertiser-update.test.ts': 'Two who change the same row at once.',
  'test/tools/audit-logs/audit-log-list.test.ts': 'Filters by time, and pages while others write.',
  'test/tools/webhooks/account-events.test.ts': 'Events that are stored and placed in one order.',
  'test/tools/webhooks/account-events-followed.test.ts':
    'Readers who wait for what another transaction writes.',
  'test/tools/repeats.test.ts': 'Two who insert the same key at once.',
  'test/tools/versions.test.ts': 'A version that is compared while others write.',
  'test/tools/audit.test.ts': 'A change and its entry, both or neither.',
  'test/tools/campaigns/campaign-create.test.ts': 'Two campaigns from one session at once.',
  'test/tools/campaigns/campaign-execute.test.ts': 'Two executions at once, and sums of money.',
  'test/tools/campaigns/campaign-get-media-buy-status.test.ts': 'Several readers who save one answer.',
  'test/tools/campaigns/campaign-list.test.ts': 'Search by part of a name, order and pages.',
  'test/tools/campaigns/credit.test.ts': 'Many who spend of one account at once.',
  'test/tools/campaigns/ended-campaigns.test.ts': 'Ends that two readers and the service write at once.',
  'test/tools/campaigns/told-to-sellers.test.ts': 'Columns that a campaign and its buys are kept in.',
  'test/tools/media-buys/refused-orders-made-anew.test.ts':
    'A choice and a buy that are changed in one transaction.',
  'test/tools/campaigns/ledger-sums.test.ts': 'Sums that many change at once.',
  'test/tools/discovery/browse-products.test.ts': 'Pages of groups in the order of landing.',
  'test/tools/discovery/discover-products-landings.test.ts': 'Answers that land at once, a revision each.',
  'test/tools/discovery/discover-products-refine.test.ts': 'Groups that take the place of others.',
  'test/tools/discovery/discover-products-store-failures.test.ts': 'A transaction that fails half-way.',
  'test/tools/discovery/discover-products-together.test.ts': 'Many sessions that are written at once.',
  'test/tools/discovery/discovery-add-products.test.ts': 'Choices while answers land.',
  'test/tools/discovery/discovery-apply-proposal.test.ts': 'Proposals that take the place of others.',
  'test/tools/discovery/discovery-events.test.ts': 'Readers who wait for what another transaction writes.',
  'test/tools/inventory-sources/inventory-source-create.test.ts': 'Keys that have to be unique.',
  'test/tools/inventory-sources/inventory-source-delete.test.ts': 'Rows to which others refer.',
  'test/tools/inventory-sources/inventory-source-update.test.ts': 'Two who change the same row at once.',
  'test/tools/products/product-list.test.ts': 'Search by part of a name, order and pages.',
  'test/tools/storefronts/storefront-get.test.ts': 'Ids as large as a number may be.',
  'test/tools/storefronts/storefront-list.test.ts':
    'Search beyond ASCII and in lists that are stored as text.',
  'test/tools/record/storefront-record-create.test.ts': 'Two who create at once what may be once.',
  'test/tools/record/storefront-record-update.test.ts': 'Two who change the same row at once.',
  'test/tools/system/health.test.ts': 'Names the database.',
  'test/http/key-widget.test.ts': 'A person and a session that end between two calls.',
  'test/tools/legacy-keys/legacy-key-delete.test.ts': 'A key that is read anew with each call.',
  'test/tools/legacy-keys/legacy-key-list.test.ts': 'Hashes that are there once, and rows of one person.',
  'test/tools/m2m-applications/m2m-application-create.test.ts':
    'Rows that are counted while nobody else makes one.',
  'test/tools/m2m-applications/m2m-application-delete.test.ts':
    'Tokens whose application is read anew with each call.',
  'test/tools/m2m-applications/m2m-secret-create.test.ts': 'Secrets that are used by one conditional write.',
  'test/tools/m2m-applications/m2m-secret-delete.test.ts':
    'Secrets that are counted while the application is held.',
  'test/tools/media-buys/media-buy-update.test.ts': 'Versions of a buy, and changes that wait.',
  'test/tools/org-api-keys/org-api-key-create.test.ts':
    'Keys that are counted while the organization is held.',
  'test/tools/org-api-keys/org-api-key-delete.test.ts': 'A key that is read anew with each call.',
  'test/tools/org-api-keys/widget-token-get.test.ts': 'A dump of every table, in which the token is not.',
  'test/tools/spend-approvals/spend-approval-approve.test.ts': 'Several who allow the same at once.',
  'test/tools/spend-approvals/spend-approval-list.test.ts': 'Filters by time and state, order and pages.',
  'test/tools/service-tokens/service-token-archive.test.ts': 'A token that is read anew with each call.',
  'test/tools/service-tokens/service-token-create.test.ts':
    'Numbers that the database makes, and members who leave.',
};

/** Files in the folders that run on both databases of which one is enough. */
export const ON_ONE_DATABASE: Readonly<Record<string, string>> = {
  'test/every-tool/inputs.test.ts': 'What is refused before anything is asked.',
  'test/every-tool/other-names.test.ts': 'Names that are changed before anything is asked.',
  'test/outbound/address-guard.test.ts': 'Addresses and lookups; nothing is stored.',
  'test/people/more-pages.test.ts': 'How pages look, and how they are used.',
  'test/people/pages.test.ts': 'How pages look, and how they are used.',
  'test/process/demo.test.ts': 'How sellers of another project speak.',
  'test/process/npm.test.ts': 'How signals pass through a shell.',
  'test/process/operator-refusals.test.ts': 'Arguments that are refused before anything is asked.',
  'test/process/prepare.test.ts': 'How packages are installed.',
  'test/process/private-files.test.ts': 'Files of SQLite, and of the key beside it.',
  'test/process/refused-start.test.ts': 'Settings that are refused before a database is opened.',
};
