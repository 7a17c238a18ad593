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
  'test/tools/advertisers/account-link-create.test.ts': 'Several who link at once, counted in one row.',
  'test/tools/advertisers/account-link-delete.test.ts': 'Several who unlink at once, counted in one row.',
  'test/tools/advertisers/advertiser-get.test.ts': 'Ids as large as a number may be.',
  'test/tools/advertisers/advertiser-list.test.ts': 'Search by part of a name, order and pages.',
  'test/tools/advertisers/advertiser-update.test.ts': 'Two who change the same row at once.',
  'test/tools/advertisers/linked-accounts.test.ts': 'Two who link the same account at once.',
  'test/tools/advertisers/portfolio-get.test.ts': 'Sums and counts, which one database gives as text.',
  'test/tools/audit-logs/audit-log-list.test.ts': 'Filters by time, and pages while others write.',
  'test/tools/webhooks/account-events.test.ts': 'Events that are stored and placed in one order.',
  'test/tools/webhooks/account-events-followed.test.ts':
    'Readers who wait for what another transaction writes.',
  'test/tools/repeats.test.ts': 'Two who insert the same key at once.',
  'test/tools/versions.test.ts': 'A version that is compared while others write.',
  'test/tools/audit.test.ts': 'A change and its entry, both or neither.',
  'test/tools/campaigns/archived-advertiser.test.ts': 'Counts and groups, which one database gives as text.',
  'test/tools/campaigns/campaign-create.test.ts': 'Two campaigns from one session at once.',
  'test/tools/campaigns/campaign-execute.test.ts': 'Two executions at once, and sums of money.',
  'test/tools/campaigns/campaign-get-media-buy-status.test.ts': 'Several readers who save one answer.',
  'test/tools/campaigns/campaign-list.test.ts': 'Search by part of a name, order and pages.',
  'test/tools/campaigns/merged-periods.test.ts': 'The same of packages that were merged or split.',
  'test/tools/campaigns/budgets-of-periods.test.ts':
    'Periods that are counted in the transaction that takes of them.',
  'test/tools/campaigns/credit.test.ts': 'Many who spend of one account at once.',
  'test/tools/campaigns/ended-campaigns.test.ts': 'Ends that two readers and the service write at once.',
  'test/tools/campaigns/lowered-together.test.ts': 'Limits that follow in the transaction of another row.',
  'test/tools/campaigns/raises-at-once.test.ts': 'Two who raise at once what is counted in one sum.',
  'test/tools/media-buys/raises-that-wait.test.ts':
    'A change and other news of one media buy, stored at the same moment.',
  'test/tools/campaigns/buys-that-begin-late.test.ts': 'A column that is reckoned as the news is stored.',
  'test/tools/campaigns/changes-that-come-late.test.ts': 'Changes that are reckoned anew as they are stored.',
  'test/tools/campaigns/choices-between.test.ts': 'Campaigns that are held while their choice changes.',
  'test/tools/media-buys/figures-between.test.ts': 'A row that is read anew where others write.',
  'test/tools/campaigns/executed-between.test.ts': 'What is read and stored in one transaction.',
  'test/tools/campaigns/ended-media-buys.test.ts': 'What is released when the service ends a media buy.',
  'test/tools/campaigns/last-media-buys.test.ts': 'Campaigns counted with their media buys in one query.',
  'test/tools/media-buys/going-on-there.test.ts': 'What is bound again as a report is stored.',
  'test/tools/media-buys/changes-given-up.test.ts': 'Changes whose answers a transaction takes back.',
  'test/tools/media-buys/named-failures.test.ts': 'Rows that an index of part of a table finds.',
  'test/tools/media-buys/refused-orders-made-anew.test.ts':
    'A choice and a buy that are changed in one transaction.',
  'test/tools/campaigns/media-buy-create-batch.test.ts':
    'A campaign, its choice and its orders, all or nothing.',
  'test/tools/campaigns/media-buy-create-batch-gates.test.ts': 'Two who buy under one key at once.',
  'test/tools/campaigns/pricing.test.ts': 'Rules of which the latest holds.',
  'test/outbound/settled-by-the-operator.test.ts': 'Two who give one id to two orders at one moment.',
  'test/tools/campaigns/ledger-interleavings.test.ts': 'Two who spend of one account at planned points.',
  'test/tools/campaigns/ledger-sums.test.ts': 'Sums that many change at once.',
  'test/tools/discovery/browse-products-gone-groups.test.ts': 'A pattern that is looked for in JSON.',
  'test/tools/discovery/browse-products-sellers.test.ts': 'Sellers that are counted by kind, and paged.',
  'test/tools/discovery/browse-products.test.ts': 'Pages of groups in the order of landing.',
  'test/tools/discovery/discover-products-debug.test.ts': 'Answers of any shape, kept as JSON.',
  'test/tools/discovery/discover-products-landings.test.ts': 'Answers that land at once, a revision each.',
  'test/tools/discovery/discover-products-refine.test.ts': 'Groups that take the place of others.',
  'test/tools/discovery/discover-products-by-code.test.ts':
    'Codes that are counted and taken up by several at once.',
  'test/tools/discovery/discover-products-screening.test.ts': 'Tallies of sellers that are added up.',
  'test/tools/discovery/discover-products-store-failures.test.ts': 'A transaction that fails half-way.',
  'test/tools/discovery/discover-products-together.test.ts': 'Many sessions that are written at once.',
  'test/tools/discovery/discover-products-unfinished.test.ts': 'What sellers said, read back from JSON.',
  'test/tools/discovery/discovery-add-products.test.ts': 'Choices while answers land.',
  'test/tools/discovery/discovery-add-products-declared-targeting.test.ts':
    'Targetings of every shape, kept as JSON.',
  'test/tools/discovery/discovery-apply-proposal.test.ts': 'Proposals that take the place of others.',
  'test/tools/discovery/discovery-events.test.ts': 'Readers who wait for what another transaction writes.',
  'test/tools/discovery/product-query.test.ts': 'Pages by place, and a column of what sellers say.',
  'test/tools/inventory-sources/inventory-source-create.test.ts': 'Keys that have to be unique.',
  'test/tools/inventory-sources/inventory-source-delete.test.ts': 'Rows to which others refer.',
  'test/tools/inventory-sources/inventory-source-update.test.ts': 'Two who change the same row at once.',
  'test/tools/proposals/proposal-create.test.ts': 'Codes that have to be unique.',
  'test/tools/proposals/proposal-list.test.ts': 'Pages by what became of a row.',
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
  'test/tools/media-buys/versions-and-figures.test.ts': 'Two who change one version at once.',
  'test/tools/org-api-keys/org-api-key-create.test.ts':
    'Keys that are counted while the organization is held.',
  'test/tools/org-api-keys/org-api-key-delete.test.ts': 'A key that is read anew with each call.',
  'test/tools/org-api-keys/widget-token-get.test.ts': 'A dump of every table, in which the token is not.',
  'test/tools/spend-approvals/spend-approval-approve.test.ts': 'Several who allow the same at once.',
  'test/tools/spend-approvals/spend-approval-list.test.ts': 'Filters by time and state, order and pages.',
  'test/tools/spend-approvals/withdrawn-approvals.test.ts': 'Who allows and who calls off at once.',
  'test/tools/service-tokens/service-token-archive.test.ts': 'A token that is read anew with each call.',
  'test/tools/service-tokens/service-token-create.test.ts':
    'Numbers that the database makes, and members who leave.',
};

/** Files in the folders that run on both databases of which one is enough. */
export const ON_ONE_DATABASE: Readonly<Record<string, string>> = {
  'test/agents/agent-endpoints.test.ts': 'Registrations that are refused, and how often somebody may ask.',
  'test/agents/auth-guide.test.ts': 'A document, and what it leads to; the ways it names run on both.',
  'test/agents/claim-page-in-a-browser.test.ts': 'How a page looks, and how it is used.',
  'test/agents/claim-page.test.ts':
    'A page; each of its forms is sent on both in test/people/deeds-in-the-log.test.ts.',
  'test/attacks/foreign-hosts.test.ts': 'Hosts and origins that are turned away at the door.',
  'test/attacks/heads.test.ts': 'Heads of requests, before anything is asked.',
  'test/attacks/many-problems.test.ts': 'Words about bodies that are refused before anything is asked.',
  'test/attacks/open-files.test.ts': 'Files of pages, and connections that wait for one.',
  'test/attacks/paused-readers.test.ts':
    'Who reads nothing of what is sent; how credentials end runs on both in test/credential-lives.',
  'test/attacks/readers.test.ts': 'Who reads slowly what was answered long ago.',
  'test/attacks/refused-bodies.test.ts': 'Bodies that are refused before anything is asked.',
  'test/attacks/seller-addresses.test.ts': 'Addresses that are refused before anything is stored.',
  'test/attacks/seller-answers.test.ts': 'How much is read of answers, and how often sellers are asked.',
  'test/attacks/slow-readers.test.ts': 'Who reads slowly what was answered long ago.',
  'test/attacks/tokens-in-addresses.test.ts': 'Who is refused before anything is asked.',
  'test/credential-lives/matrix.test.ts':
    'Each capability by each credential; how a credential ends runs on both beside it.',
  'test/every-tool/audit.test.ts':
    'Which entry each tool leaves; entries are written on both in test/tools/audit.test.ts.',
  'test/every-tool/effects.test.ts':
    'What definitions say of effects; each tool stores on both in examples.test.ts.',
  'test/every-tool/inputs.test.ts': 'What is refused before anything is asked.',
  'test/every-tool/long-answers.test.ts': 'What definitions say of answers.',
  'test/every-tool/mistakes.test.ts': 'What is said of mistakes, and that it helps.',
  'test/every-tool/not-built.test.ts': 'What is refused before anything is asked.',
  'test/every-tool/nulls.test.ts': 'Input that is read; nothing is asked.',
  'test/every-tool/objects-before-terms.test.ts':
    'The order of the gates, which stand in front of every query.',
  'test/every-tool/objects-of-others.test.ts':
    'Ids of other accounts; test/store/scope-walk.test.ts narrows each query on both.',
  'test/every-tool/other-names.test.ts': 'Names that are changed before anything is asked.',
  'test/every-tool/read-only-addresses.test.ts': 'Which tools an address has.',
  'test/every-tool/repeats.test.ts':
    'Keys that each tool takes; test/tools/repeats.test.ts stores them on both.',
  'test/every-tool/terms.test.ts': 'Which tools ask for terms; they are accepted on both in test/signup.',
  'test/every-tool/versions-over-mcp.test.ts':
    'How versions are written; test/tools/versions.test.ts compares them on both.',
  'test/oauth/answers.test.ts': 'Heads and words of answers; tokens are stored on both beside it.',
  'test/oauth/client-documents.test.ts': 'Documents that are fetched from others.',
  'test/oauth/consent-in-a-browser.test.ts': 'How pages look, and how they are used.',
  'test/oauth/discovery.test.ts': 'Documents that say where everything is.',
  'test/oauth/official-clients.test.ts':
    'How programs of others speak; what is stored of them runs on both beside it.',
  'test/oauth/one-browser.test.ts':
    'Cookies of browsers; requests are stored on both in authorization.test.ts.',
  'test/oauth/programs-page.test.ts':
    'A page; each of its forms is sent on both in test/people/deeds-in-the-log.test.ts.',
  'test/oauth/public-address.test.ts':
    'Where addresses lead; consent is stored on both in authorization.test.ts.',
  'test/outbound/address-guard.test.ts': 'Addresses and lookups; nothing is stored.',
  'test/outbound/answers-in-any-form.test.ts':
    'What is read of answers; what no row can hold runs on both in test/attacks.',
  'test/outbound/answers-with-too-much.test.ts':
    'How much is read of answers; test/attacks/kept-too-much.test.ts keeps it on both.',
  'test/outbound/changes-in-any-form.test.ts':
    'What is read of answers; changes are stored on both in test/tools.',
  'test/outbound/closed-sellers.test.ts':
    'Who is asked no more; orders are stored on both in placing-orders.test.ts.',
  'test/outbound/echoed-credentials.test.ts': 'What is taken out of answers before anything is stored.',
  'test/outbound/exchanges.test.ts': 'What goes over the wire to sellers; nothing is stored.',
  'test/outbound/misbehaving-sellers.test.ts':
    'What is read of answers; test/attacks has those that no row can hold.',
  'test/outbound/older-sellers.test.ts':
    'How older sellers are spoken to; orders whose answer was lost are stored on both beside it.',
  'test/outbound/orders-in-any-form.test.ts':
    'What is read of answers; orders are stored on both in placing-orders.test.ts.',
  'test/outbound/orders-for-the-sandbox.test.ts':
    'Which sellers are asked for a sandbox; orders are stored on both in placing-orders.test.ts.',
  'test/outbound/patience-with-sellers.test.ts': 'How long sellers are waited for; nothing is stored of it.',
  'test/outbound/put-off-at-a-stop.test.ts':
    'When sellers are asked again; orders and changes outlive a stop on both in orders-at-a-stop.test.ts.',
  'test/outbound/seller-connections.test.ts': 'Connections to sellers; nothing is stored.',
  'test/outbound/seller-eras.test.ts': 'How sellers are spoken to; nothing is stored of it.',
  'test/outbound/seller-warnings.test.ts': 'What is read of answers.',
  'test/outbound/unresolved-orders.test.ts':
    'What is read of answers, and under which key; orders whose answer was lost are on both in lost-writes.test.ts.',
  'test/outbound/webhook-broken-answers.test.ts':
    'What is read of answers; what fails is stored on both beside it.',
  'test/people/approvals-page.test.ts': 'A page over tools that run on both.',
  'test/people/forged-requests.test.ts': 'Requests that are turned away at the door.',
  'test/people/guessing.test.ts': 'Counts that the process keeps to itself.',
  'test/people/led-on.test.ts': 'Where forms lead; what they store runs on both beside it.',
  'test/people/members-page.test.ts': 'A page over tools that run on both.',
  'test/people/more-pages.test.ts': 'How pages look, and how they are used.',
  'test/people/pages.test.ts': 'How pages look, and how they are used.',
  'test/people/session-over-rest.test.ts':
    'What a browser is told; sessions are stored on both in sessions.test.ts.',
  'test/people/terms-page.test.ts': 'A page; terms are accepted on both in test/signup.',
  'test/people/way-in.test.ts': 'Where forms lead, and what they say; test/signup stores the same on both.',
  'test/process/crash.test.ts':
    'Each kill at its own place; test/faults/crashes.test.ts kills under every load on both.',
  'test/process/demo.test.ts': 'How sellers of another project speak.',
  'test/process/known-brands.test.ts': 'Words of the command line; brands run on both in test/tools.',
  'test/process/ledger-crash.test.ts':
    'One kind of kill; test/faults/crashes.test.ts sums the ledger after every kind on both.',
  'test/process/newer-database.test.ts':
    'What each command says; doctor knows one on both in test/process/installation.test.ts.',
  'test/process/npm.test.ts': 'How signals pass through a shell.',
  'test/process/operator-approvals.test.ts':
    'Words of the command line; approvals wait on both in test/tools.',
  'test/process/operator-entries.test.ts':
    'Words of the command line; the same is stored on both in test/tools.',
  'test/process/operator-files.test.ts': 'Files and ports that are refused before anything is asked.',
  'test/process/operator-grants.test.ts':
    'Words of the command line; grants are given on both in test/credential-lives.',
  'test/process/operator-log.test.ts':
    'Words of the command line; entries are listed on both in test/tools/audit-logs.',
  'test/process/operator-money.test.ts':
    'Words of the command line; sums of money run on both in test/tools.',
  'test/process/operator-reasons.test.ts':
    'Words of the command line; entries are listed on both in test/tools/audit-logs.',
  'test/process/operator-refusals.test.ts': 'Arguments that are refused before anything is asked.',
  'test/process/operator-unknown.test.ts': 'What each command says of an organization that nobody has.',
  'test/process/operator-orders.test.ts':
    'Words of the command line; orders that are settled and ended by it run on both in test/outbound.',
  'test/process/operator-stops.test.ts':
    'Words of the command line; campaigns are stopped on both in test/tools.',
  'test/process/operator-values.test.ts': 'Arguments that are refused before anything is asked.',
  'test/process/people.test.ts': 'Links and mails in files that one user can read.',
  'test/process/prepare.test.ts': 'How packages are installed.',
  'test/process/private-files.test.ts': 'Files of SQLite, and of the key beside it.',
  'test/process/refused-start.test.ts': 'Settings that are refused before a database is opened.',
  'test/process/repeats-after-crash.test.ts':
    'One kind of kill; test/faults/crashes.test.ts repeats under keys on both.',
  'test/process/sandbox.test.ts':
    'What a first start prints; test/process/installation.test.ts makes it on both.',
  'test/process/smtp.test.ts': 'How servers of mail are spoken to.',
  'test/process/stop.test.ts': 'Who is waited for; test/faults/stops.test.ts stops under every load on both.',
  'test/process/uncaught.test.ts': 'How a process ends; nothing is stored.',
  'test/process/unopened-secrets.test.ts':
    'What is said where a key is missing; encrypted values are stored on both in test/store.',
};
