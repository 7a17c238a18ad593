import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogOf } from '../adapters/mcp/catalog.ts';
import { routesOf } from '../adapters/rest/routes.ts';
import { packageRoot } from '../adapters/settings/package-root.ts';
import { permissions } from '../store/api-keys.ts';
import { restPaths } from '../tools/core/addresses.ts';
import type { Effect, Tool } from '../tools/core/define.ts';
import {
  commonErrorCodes,
  type ErrorCode,
  errorCatalogue,
  errorEntry,
} from '../tools/core/errors/catalogue.ts';
import { type JsonSchema, jsonSchema } from '../tools/core/schemas/json-schema.ts';
import type { Stream } from '../tools/core/streams.ts';
import { streams, tools } from '../tools/registry.ts';
import { familyFolders } from './journeys/families.ts';
import { firstSteps } from './journeys/journey.ts';
import { isObject } from './journeys/step.ts';
import { asSchema, fieldsOf, partsOf } from './support/house/schema-walk.ts';
import { codeOf, sourceFiles, sourceOf } from './support/house/source-files.ts';

/** Names that the agreed interface fixes, although they are not `<singular>_<verb>`. */
const FIXED_NAMES = new Set([
  'discover_products',
  'browse_products',
  'discovery_add_products',
  'discovery_list_products',
  'discovery_remove_products',
  'discovery_apply_proposal',
  'product_query',
  'media_buy_create_batch',
  'proposal_revoke',
  'campaign_get_media_buy_status',
  'media_buy_get_packages',
  'media_buy_pause',
  'media_buy_reactivate',
  'health',
  'capability_search',
  'api_call',
  'help',
  'service_token_archive',
  'accept_tos',
  'account_switch',
  'campaign_auto_select_products',
  'campaign_cancel',
  'campaign_get_delivery',
  'campaign_list_products',
  'campaign_pause',
  'campaign_reactivate',
  'spend_approval_approve',
  'spend_approval_reject',
  'webhook_test',
]);
const VERBS = ['list', 'get', 'create', 'update', 'delete', 'restore', 'resolve', 'execute'];
const TITLE = new RegExp(
  `^(${['Accept', 'Approve', 'Archive', 'Browse', 'Call', 'Cancel', 'Check', 'Choose', 'Create', 'Delete', 'Discover', 'Drop', 'Execute', 'Follow', 'Get', 'List', 'Pause', 'Reactivate', 'Reject', 'Resolve', 'Restore', 'Revoke', 'Search', 'Select', 'Switch', 'Test', 'Update'].join('|')})( [a-z]+){1,3}$`,
);
/** Objects whose fields are those of another capability, which looks at them. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  api_call: ['pathParams', 'query', 'body'],
  // The protocol's own room for what no two sellers agree on.
  discovery_add_products: ['products[].targetingOverlay.geo_proximity[].ext'],
  campaign_update: [
    'mediaBuys[].packages[].targetingOverlay.geo_proximity[].ext',
    'mediaBuys[].optimization_goals[].vendor.brand_kit_override.logo.provenance',
  ],
  media_buy_update: [
    'packages[].targetingOverlay.geo_proximity[].ext',
    'optimization_goals[].vendor.brand_kit_override.logo.provenance',
  ],
  media_buy_create_batch: ['selections[].targetingOverlay.geo_proximity[].ext'],
};
const METHODS: Readonly<Record<Effect, readonly string[]>> = {
  read: ['GET'],
  create: ['POST'],
  update: ['PUT', 'PATCH', 'POST'],
  delete: ['DELETE'],
  act: ['POST'],
};
/** Reads whose address was agreed as a POST. */
const ASKED_BY_POST = new Set(['brand_resolve']);
const HINTS: Readonly<Record<Effect, object>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  update: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  act: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
};

const capabilities: readonly (Tool | Stream)[] = [...tools, ...streams];
const byName = (list: readonly (Tool | Stream)[]) => list.map((one) => [one.name, one] as const);

const fileName = (name: string) => name.replaceAll('_', '-');
const constantName = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
/** What stands in the folders of the families, read once for all capabilities. */
const filesOf = new Map(
  familyFolders.map((folder) => [folder, new Set(readdirSync(join(packageRoot, 'tools', folder)))]),
);
/** The folders that have a file for a capability: `buyer/advertisers`. */
const foldersOf = (name: string) =>
  familyFolders.filter((folder) => filesOf.get(folder)?.has(`${fileName(name)}.ts`));
const indexes = familyFolders
  .filter((folder) => filesOf.get(folder)?.has('index.ts'))
  .map((folder) => sourceOf(`tools/${folder}/index.ts`));

describe('the registry', () => {
  test('holds capabilities to check', () => {
    expect(tools.length).toBeGreaterThan(30);
    expect(streams.length).toBeGreaterThan(0);
  });

  test('gives every capability a name of its own', () => {
    const names = capabilities.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });

  test('gives every address to one capability', () => {
    const addresses = routesOf(tools, streams).map(
      ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
    );

    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('knows every definition in tools/', () => {
    const defined = sourceFiles('tools').filter(
      (path) =>
        /^tools(\/[^/]+){3}$/.test(path) && /\bdefineTool\(|: StreamDefinition = \{/.test(codeOf(path)),
    );
    const registered = capabilities.flatMap(({ name }) =>
      foldersOf(name).map((folder) => `tools/${folder}/${fileName(name)}.ts`),
    );

    expect(defined).toEqual(registered.sort());
  });

  test('shows over REST what it returns over MCP, but for these', () => {
    const exceptions = tools.filter(({ rest }) => rest?.shows !== undefined).map(({ name }) => name);

    expect(exceptions).toEqual([
      'media_buy_get',
      'media_buy_update',
      'storefront_list',
      'storefront_get',
      'storefront_record_get',
      'storefront_record_create',
      'storefront_record_update',
      'inventory_source_list',
      'product_list',
      'proposal_list',
      'webhook_list',
    ]);
  });

  test('has somebody who answers each code of the catalogue, but for those kept for old clients', () => {
    const answered = new Set<string>([...commonErrorCodes, ...capabilities.flatMap(({ errors }) => errors)]);
    const codes = Object.keys(errorCatalogue).filter((code) => {
      const known = Object.entries(errorCatalogue).find(([name]) => name === code)?.[1];
      return known !== undefined && !('deprecated' in known);
    });

    expect(codes.filter((code) => !answered.has(code))).toEqual([]);
  });

  test('uses one word for one meaning in its names', () => {
    const words = new Set(
      capabilities.filter(({ name }) => !FIXED_NAMES.has(name)).flatMap(({ name }) => name.split('_')),
    );

    for (const second of ['remove', 'fetch', 'add', 'edit', 'show']) expect(words).not.toContain(second);
  });
});

describe.each(byName(capabilities))('%s', (name, capability) => {
  test('stands in one file of its name, as the constant of its name', async () => {
    const [folder, ...others] = foldersOf(name);

    expect(others).toEqual([]);
    expect(folder?.split('/')[0]).toBe(capability.surface);
    const module = await import(
      /* @vite-ignore */ join(packageRoot, 'tools', `${folder}/${fileName(name)}.ts`)
    );
    const definition = module[constantName(name)];
    // What is about all families is made when they are known.
    if (definition === undefined)
      return expect(module[`${constantName(name)}Of`]([])).toMatchObject({ name });
    expect(definition).toMatchObject({ name });
    expect(definition.input).toBe(capability.input);
  });

  test('is listed by one family', () => {
    const listing = indexes.filter((index) => index.includes(`/${fileName(name)}.ts'`));

    expect(listing).toHaveLength(1);
  });

  test('has a title of two to four words, the verb first', () => {
    expect(capability.title).toMatch(TITLE);
  });

  test('is described in 40 to 800 characters of plain sentences', () => {
    expect(capability.description.length).toBeGreaterThanOrEqual(40);
    expect(capability.description.length).toBeLessThanOrEqual(800);
    expect(capability.description).toMatch(/^[A-Z].*\.$/);
  });

  test('says who may call it', () => {
    const { access } = capability;

    expect(access.kind === 'open' || permissions.includes(access.permission)).toBe(true);
  });

  test('describes every input field at every depth', () => {
    const fields = fieldsOf(jsonSchema(capability.input, 'input'));

    expect(undescribed(fields)).toEqual([]);
  });

  test('takes no field that it does not know, at any depth', () => {
    const objects = partsOf(jsonSchema(capability.input, 'input')).filter(
      ({ schema }) => schema['type'] === 'object',
    );

    const free = objects.filter(({ schema }) => schema['additionalProperties'] !== false);
    expect(free.map(({ path }) => path)).toEqual(FREE[name] ?? []);
    expect(objects.length).toBeGreaterThan(0);
  });

  test('takes every parameter of its paths as an input field', () => {
    const paths =
      'path' in capability
        ? [capability.path]
        : [capability.rest?.path ?? [], capability.rest?.also ?? []].flat(2);
    const parameters = paths.flatMap((path) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
    );

    for (const parameter of parameters) expect(Object.keys(capability.input.shape)).toContain(parameter);
    for (const path of paths) expect(path).toMatch(/^\/([a-z0-9-]+|\{\w+\})?(\/([a-z-]+|\{\w+\}))*$/);
  });

  test('lists errors of the catalogue once each, none deprecated and none that every tool may answer', () => {
    const common: readonly ErrorCode[] = commonErrorCodes;

    expect(new Set(capability.errors).size).toBe(capability.errors.length);
    for (const code of capability.errors) {
      expect(errorCatalogue).toHaveProperty(code);
      expect(errorEntry(code).deprecated).toBeUndefined();
      expect(common).not.toContain(code);
    }
  });

  test('is tested in a file that names its success status and each of its own errors', () => {
    const [folder = ''] = foldersOf(name);
    const path = `test/tools/${folder.replace(/^.*\//, '')}/${fileName(name)}.test.ts`;

    expect(existsSync(join(packageRoot, path)), `${path} is missing`).toBe(true);
    const cases = codeOf(path);
    const status = 'rest' in capability ? (capability.rest?.status ?? 200) : 200;
    const own = capability.errors.filter((code) => !isProvedForAll(name, code));
    for (const word of [String(status), ...own]) expect(cases).toContain(word);
  });
});

/** An object that an id names is NOT_FOUND where it is not there: asked of every such tool in test/every-tool. */
function isProvedForAll(name: string, code: ErrorCode): boolean {
  const { names = {} } = firstSteps.find(({ tool }) => tool === name) ?? {};
  // test/every-tool/not-built.test.ts sends each of the fields.
  if (code === 'NOT_IMPLEMENTED') return true;
  return code === 'NOT_FOUND' && Object.values(names).some(isObject);
}

describe.each(tools.map((tool) => [tool.name, tool] as const))('the tool %s', (name, tool) => {
  test('is named <singular>_<verb>, or as the interface fixes it', () => {
    const [verb = ''] = name.split('_').slice(-1);

    expect(FIXED_NAMES.has(name) || VERBS.includes(verb)).toBe(true);
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });

  test('describes every output field at every depth', () => {
    expect(undescribed(fieldsOf(jsonSchema(tool.output, 'output')))).toEqual([]);
    const shows = tool.rest?.shows;
    if (shows !== undefined) expect(undescribed(fieldsOf(jsonSchema(shows.schema, 'output')))).toEqual([]);
  });

  test('publishes schemas with every property of its shapes', () => {
    for (const [io, schema] of [
      ['input', tool.input],
      ['output', tool.output],
    ] as const) {
      const published = resolved(jsonSchema(schema, io));

      expect(published['type']).toBe('object');
      expect(Object.keys(published['properties'] ?? {}).sort()).toEqual(Object.keys(schema.shape).sort());
    }
  });

  test('uses a method that agrees with its effect', () => {
    if (tool.rest === undefined) return;
    const methods = ASKED_BY_POST.has(name) ? ['POST'] : METHODS[tool.effect];
    expect(methods).toContain(tool.rest.method);
    expect(tool.rest.status === 201 ? tool.effect : 'create').toBe('create');
  });

  test('gives hosts the hints of its effect, each set explicitly', () => {
    const [listed] = catalogOf([tool]).list;

    expect(listed?.annotations).toEqual({
      ...HINTS[tool.passesOn ? 'act' : tool.effect],
      openWorldHint: tool.openWorld !== undefined,
    });
  });

  test('says what a mutation is about, for the audit log', () => {
    expect(tool.audit === undefined).toBe(tool.effect === 'read');
  });

  test('needs a permission to write for whatever changes something but the session of whoever calls', () => {
    if (tool.effect === 'read') return expect(['open', 'permission']).toContain(tool.access.kind);
    expect(tool.access).toMatchObject({ kind: 'permission' });
    if (name === 'account_switch') return expect(tool.access).toMatchObject({ human: true });
    expect(tool.access).not.toMatchObject({ permission: 'buyer:read' });
  });

  test('needs a permission of administrators to delete, but for a choice that nothing was made of yet', () => {
    const deletes = tool.effect === 'delete' || tool.rest?.method === 'DELETE';
    if (!deletes || name === 'discovery_remove_products') return;
    const { permission } = { permission: 'open', ...tool.access };
    expect(['buyer:admin', 'account:admin']).toContain(permission);
  });

  test('has a handler and an address', () => {
    expect(tool.handler).toBeTypeOf('function');
    expect(restPaths(tool.surface, tool.rest).length > 0).toBe(tool.rest !== undefined);
  });

  test('counts the list that its answer pages, and takes limit and offset for take and skip', () => {
    const list = tool.rest?.list;
    if (list !== undefined) {
      expect(Object.keys(tool.output.shape)).toEqual(expect.arrayContaining([list, 'total']));
    }
    if (!('take' in tool.input.shape)) return expect(tool.input.shape).not.toHaveProperty('skip');
    expect(list).toBeDefined();
    expect(tool.spellings).toMatchObject({ take: ['limit'], skip: ['offset'] });
  });
});

describe.each(streams.map((stream) => [stream.name, stream] as const))('the stream %s', (_, stream) => {
  test('opens, and resumes after an input field', () => {
    expect(stream.open).toBeTypeOf('function');
    expect(stream.input.shape).toHaveProperty(stream.resumesAfter);
  });
});

/** The schema itself, where its root only points at a named one. */
function resolved(schema: JsonSchema): JsonSchema {
  const name = String(schema['$ref'] ?? '').replace('#/$defs/', '');
  return name === '' ? schema : asSchema(asSchema(schema['$defs'])[name]);
}

function undescribed(fields: ReturnType<typeof fieldsOf>): string[] {
  return fields
    .filter(({ schema }) => typeof schema['description'] !== 'string' || schema['description'].length < 4)
    .map(({ path }) => path);
}
