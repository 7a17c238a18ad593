/** The layers, as errors: adapters → tools → store, and each family to itself. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two modules that need each other are one module, or need a third. Types may point back.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'store-imports-nothing-above',
      severity: 'error',
      from: { path: '^store/' },
      to: { path: '^(tools|adapters|test|bench|demo)/' },
    },
    {
      name: 'tools-import-no-adapter',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^(adapters|test|bench|demo)/' },
    },
    {
      name: 'product-imports-no-test',
      severity: 'error',
      from: { path: '^(adapters|store|tools)/' },
      to: { path: '^(test|bench|demo)/' },
    },
    {
      name: 'a-family-keeps-to-itself',
      comment: 'What two families need stands in tools/ or tools/shared/.',
      severity: 'error',
      from: { path: '^tools/([^/]+)/' },
      to: { path: '^tools/[^/]+/', pathNot: '^tools/($1|shared)/' },
    },
    {
      name: 'shared-knows-no-family',
      severity: 'error',
      from: { path: '^tools/shared/' },
      to: { path: '^tools/(?!shared/)[^/]+/' },
    },
    {
      name: 'tools-know-no-transport',
      comment: 'No HTTP, no MCP, no database driver below adapters/.',
      severity: 'error',
      from: { path: '^tools/' },
      to: {
        path: '^node_modules/(express|find-my-way|@modelcontextprotocol|undici|pino|better-sqlite3|pg|kysely)/|^(http|https|net|fs|crypto|process)$',
      },
    },
    {
      name: 'mcp-sdk-in-its-folder',
      severity: 'error',
      from: { pathNot: '^(adapters/mcp|test|bench|demo)/' },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'drivers-in-their-files',
      severity: 'error',
      from: {
        pathNot: '^(store/(sqlite|sqlite-driver|sqlite-group|sqlite-statements|postgres)\\.ts|test|bench)',
      },
      to: { path: '^node_modules/(better-sqlite3|pg)/' },
    },
    {
      name: 'express-in-http',
      severity: 'error',
      from: { pathNot: '^(adapters/http|test|bench)/' },
      to: { path: '^node_modules/express/' },
    },
    {
      name: 'system-queries-for-background-work',
      comment: 'Queries without a tenant are for the service itself.',
      severity: 'error',
      from: { pathNot: '^(adapters/outbound|test)/' },
      to: { path: '^store/system\\.ts$' },
    },
    {
      name: 'unscoped-in-its-modules',
      severity: 'error',
      from: { pathNot: '^store/(credentials|system|market|mcp-sessions)\\.ts$|^test/' },
      to: { path: '^store/unscoped\\.ts$' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '\\.(d\\.ts|cjs|mjs)$|^(vitest\\.config\\.ts|web/)' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
