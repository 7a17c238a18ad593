/**
 * The floors, as errors: adapters → tools/<surface> → tools/domain → tools/core → store → store/engine. Whoever
 * stands on a floor may use what is below, and nothing above.
 */
const { storeRules, OWN, SURFACES } = require('./.ci/store-rules.cjs');

/** Deepest first, so that a file is taken as one of the nearest. */
const BUILT_ON_WHAT_IS_WITHIN = 'tools/core|tools|store';
const BELOW_TEST = '^(adapters|store|tools)/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two modules that need each other are one module, or need a third. Types may point back in a room.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-between-folders',
      comment: 'A room that needs another must not be needed by it, for types neither.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'a-folder-knows-nothing-within-it',
      comment:
        'A folder and one in it are no two folders to the rule above. What stands deeper uses what is around it, and is not used by it.',
      severity: 'error',
      from: { path: '^(.+)/[^/]+$', pathNot: `^(${BUILT_ON_WHAT_IS_WITHIN})/[^/]+$` },
      to: { path: '^$1/.+/' },
    },
    {
      name: 'ground-knows-nothing-around-it',
      comment: 'In these folders it is the other way round: they are built on what stands within.',
      severity: 'error',
      from: { path: `^(${BUILT_ON_WHAT_IS_WITHIN})/.+/`, pathNot: '^store/unscoped/' },
      to: { path: '^$1/[^/]+$' },
    },
    {
      name: 'errors-know-nothing-around-them',
      comment: 'Neither core, which the rule above says, nor anything above it.',
      severity: 'error',
      from: { path: '^tools/core/errors/' },
      to: { path: '^(tools|adapters)/', pathNot: '^tools/core/errors/' },
    },
    {
      name: 'tools-import-no-adapter',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^(adapters|test|bench|demo)/' },
    },
    {
      name: 'core-knows-no-business',
      severity: 'error',
      from: { path: '^tools/core/' },
      to: { path: `^tools/(domain/|${SURFACES}/|registry)` },
    },
    {
      name: 'domain-knows-no-family',
      severity: 'error',
      from: { path: '^tools/domain/' },
      to: { path: `^tools/(${SURFACES}/|registry)` },
    },
    {
      name: 'a-family-keeps-to-itself',
      comment: 'What two families need stands in tools/domain/.',
      severity: 'error',
      from: { path: `^tools/${SURFACES}/([^/]+)/` },
      to: { path: `^tools/(${SURFACES}/|registry)`, pathNot: '^tools/$1/$2/' },
    },
    {
      name: 'adapters-know-no-family',
      comment: 'They serve whatever the registry lists, and use what the domain shares.',
      severity: 'error',
      from: { path: '^adapters/' },
      to: { path: `^tools/${SURFACES}/` },
    },
    {
      name: 'rest-and-mcp-never-meet',
      comment: 'What both need stands in adapters/http/.',
      severity: 'error',
      from: { path: '^adapters/(rest|mcp)/' },
      to: { path: '^adapters/(rest|mcp)/', pathNot: '^adapters/$1/' },
    },
    {
      name: 'product-imports-no-test',
      severity: 'error',
      from: { path: BELOW_TEST },
      to: { path: '^(test|bench|demo)/' },
    },
    {
      name: 'tools-know-no-transport',
      comment:
        'No HTTP, no MCP, no database driver, no file and no process below adapters/: of Node and of packages only what only computes or waits.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { pathNot: `${OWN}|^node_modules/(zod|fastest-levenshtein)/|^(util|timers/promises)$` },
    },
    {
      name: 'mcp-sdk-in-its-folders',
      comment: 'The server in mcp/, the client in sellers/.',
      severity: 'error',
      from: { pathNot: '^(adapters/mcp|adapters/sellers|test|bench|demo)/' },
      to: { path: '^node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'express-in-pages',
      severity: 'error',
      from: { pathNot: '^(adapters/pages|test|bench)/' },
      to: { path: '^node_modules/express/' },
    },
    ...storeRules,
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        // What tests lean on is used by them, which are not looked at.
        pathNot: '\\.(d\\.ts|cjs|mjs)$|^(vitest\\.config\\.ts|web/|test/)|^store/migrations/\\d{4}-',
      },
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
