// The rules of .dependency-cruiser.cjs that are about the store: what of it who may use.

/** Every folder of tools/ but the two floors below is a surface. */
const SURFACES = '((?!core/|domain/)[^/]+)';

/** Modules of this project, about which other rules are. */
const OWN = '^(adapters|store|tools|test|bench|demo)/';

/** Files of the engine that are no query and no inside of a database: what stands above the store may use them. */
const ENGINE_FOR_ALL = [
  // The database as it is handed on, which one it is, what its failures mean, and whether anything was committed.
  'db',
  'dialect',
  'remembered',
  // Whose rows a query means; values as they are stored; where a page of a list begins.
  'scope',
  'codec',
  'paging',
  // What is told once a transaction holds, and between processes; what is counted of the database.
  'once-stored',
  'news',
  'database-tally',
  // No matter of databases. Nothing stands below the engine, which needs them as well.
  'folders',
  'turns',
  'carried',
].join('|');
/** Its files as files: they are copied, locked, kept private and moved by the operator's commands. */
const ENGINE_FOR_COMMANDS = 'moving|sqlite|sqlite-copy|sqlite-files';

/**
 * What families ask without a tenant, file by file: nothing of it is another organization's secret. A family that
 * needs another one is a question to whoever reads the change, who adds the line here or finds a scoped way.
 */
const UNSCOPED_FOR_FAMILIES = {
  // Who sells, and what they show to every buyer; how many buys lead through a source that its seller would delete.
  market: 'buyer/(campaigns|media-buys|storefronts)|storefront/inventory-sources',
  // How many campaigns, whoever runs them, hold a seller to its source or its storefront.
  'living-campaigns': 'storefront/(inventory-sources|record)',
  // Offers that lead from one organization to another by their code: seen by the buyer, brought back to the seller.
  'storefront-proposals': 'buyer/discovery|storefront/proposals',
  // The organizations that came by a seller's own link, which sponsors them.
  signup: 'storefront/join-links',
  // A person is in several organizations, and moves from one to another.
  'organization-tree': 'platform/accounts',
  people: 'platform/accounts',
  'web-sessions': 'platform/accounts',
  // Whether the process that answers is taken for alive.
  processes: 'platform/system',
};
const unscopedForFamilies = Object.entries(UNSCOPED_FOR_FAMILIES).map(([file, families]) => ({
  name: `unscoped-${file}-for-its-families`,
  comment: 'A file that no tenant bounds is for the families named beside it.',
  severity: 'error',
  from: { path: `^tools/${SURFACES}/`, pathNot: `^tools/(${families})/` },
  to: { path: `^store/unscoped/${file}\\.ts$` },
}));

const storeRules = [
  {
    name: 'store-imports-nothing-above',
    severity: 'error',
    from: { path: '^store/' },
    to: { path: '^(tools|adapters|test|bench|demo)/' },
  },
  {
    name: 'store-knows-databases-alone',
    comment: 'Drivers, and of Node what files, threads and waiting take.',
    severity: 'error',
    from: { path: '^store/(engine|migrations)/' },
    to: {
      pathNot: `${OWN}|^node_modules/(kysely|better-sqlite3|pg|lru-cache)/|^(async_hooks|crypto|fs|path|timers/promises|url|worker_threads)$`,
    },
  },
  {
    name: 'aggregates-know-queries-alone',
    comment: 'Beside them the shape of a public key, which is a type.',
    severity: 'error',
    from: { path: '^store/', pathNot: '^store/(engine|migrations)/' },
    to: { pathNot: `${OWN}|^node_modules/(kysely|jose)/|^timers/promises$` },
  },
  {
    name: 'engine-knows-no-aggregate',
    severity: 'error',
    from: { path: '^store/engine/' },
    to: { path: '^store/', pathNot: '^store/engine/' },
  },
  {
    name: 'aggregates-keep-their-scope',
    comment: 'What reads across tenants stands above the aggregates.',
    severity: 'error',
    from: { path: '^store/[^/]+$' },
    to: { path: '^store/unscoped/' },
  },
  {
    name: 'tables-are-made-at-the-opening',
    severity: 'error',
    from: { path: '^store/[^/]+$', pathNot: '^store/open\\.ts$' },
    to: { path: '^store/migrations/' },
  },
  {
    name: 'families-make-no-scope',
    comment: 'What a call may touch is made of its credential, in tools/core/.',
    severity: 'error',
    from: { path: `^tools/${SURFACES}/` },
    to: { path: '^store/engine/scope\\.ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'engine-keeps-its-inside',
    comment: 'Above the store only those of its files are used that stand above, with what for.',
    severity: 'error',
    from: { pathNot: '^(store|test|bench)/' },
    to: {
      path: '^store/engine/',
      pathNot: `^store/engine/(${ENGINE_FOR_ALL}|${ENGINE_FOR_COMMANDS})\\.ts$`,
    },
  },
  {
    name: 'files-of-the-database-for-commands',
    severity: 'error',
    from: { pathNot: '^(store|adapters/cli|test|bench)/' },
    to: { path: `^store/engine/(${ENGINE_FOR_COMMANDS})\\.ts$` },
  },
  {
    name: 'queries-in-the-store',
    comment: 'Neither a query nor a type of one stands above it.',
    severity: 'error',
    from: { pathNot: '^(store|test|bench)/' },
    to: { path: '^node_modules/kysely/' },
  },
  {
    name: 'drivers-in-their-files',
    severity: 'error',
    from: {
      pathNot:
        '^(store/engine/(sqlite|sqlite-aside|sqlite-copy|sqlite-driver|sqlite-errors|sqlite-group|sqlite-statements|postgres)\\.ts|store/engine/aside\\.mjs|test|bench)',
    },
    to: { path: '^node_modules/(better-sqlite3|pg)/' },
  },
  {
    name: 'background-queries-for-background-work',
    comment: 'Queries without a tenant are for the service itself.',
    severity: 'error',
    from: {
      pathNot:
        '^(adapters/(webhooks|process)/|tools/domain/.+/((change-)?take-over|flight-ends|named-failures)\\.ts$|test/)',
    },
    to: { path: '^store/unscoped/(webhook-deliveries|abandoned-work|mcp-sessions)\\.ts$' },
  },
  {
    name: 'unscoped-in-its-folder',
    severity: 'error',
    from: { pathNot: '^(store/unscoped|test)/' },
    to: { path: '^store/engine/unscoped\\.ts$' },
  },
  {
    name: 'families-ask-few-things-unscoped',
    comment: 'What may be asked without a tenant for a caller stands above, with what for.',
    severity: 'error',
    from: { path: `^tools/${SURFACES}/` },
    to: {
      path: '^store/unscoped/',
      pathNot: `^store/unscoped/(${Object.keys(UNSCOPED_FOR_FAMILIES).join('|')})\\.ts$`,
    },
  },
  ...unscopedForFamilies,
];

module.exports = { storeRules, OWN, SURFACES };
