import { capital, type Files, type Names, type Operation, parts } from './subject.ts';

/** The folder of a family: its index, what its capabilities share, and a file a capability. */
export function toolFiles(names: Names): Files {
  const { surface, plural, noun, operations } = names;
  const folder = `tools/${surface}/${plural}`;
  return {
    [`${folder}/index.ts`]: index(names),
    [`${folder}/reach.ts`]: reach(names),
    [`${folder}/schema.ts`]: schema(names),
    ...Object.fromEntries(
      operations.map((operation) => [`${folder}/${noun}-${operation}.ts`, TOOLS[operation](names)]),
    ),
  };
}

function index({ surface, noun, plural, operations }: Names): string {
  const constants = operations.map((operation) => constantOf(noun, operation));
  return parts(
    `import { defineFamily } from '../../core/families.ts';`,
    ...operations.map(
      (operation) => `import { ${constantOf(noun, operation)} } from './${noun}-${operation}.ts';`,
    ),
    `
/** What can be done with ${plural}. */
export const ${plural} = defineFamily({
  surface: '${surface}',
  toolset: '${plural}',
  tools: [${constants.join(', ')}],
});`,
  );
}

function constantOf(noun: string, operation: Operation): string {
  return `${noun}${capital(operation)}`;
}

function reach({ noun, one, type, plural, idField, can }: Names): string {
  const loads = can('get', 'update', 'execute', 'delete');
  return parts(
    loads && `import { find${one}, type ${one}Row } from '../../../store/${plural}.ts';`,
    loads && `import type { Context } from '../../core/context.ts';`,
    `import type { Kind } from '../../core/kinds.ts';`,
    loads && `import { present } from '../../core/reach.ts';`,
    `
export const ${noun}Kind: Kind = {
  type: '${type}',
  word: '${noun}',
  lookUp: 'Find its ${idField} with ${noun}_list.',
};`,
    loads &&
      `
/** The ${noun} a call is about. */
export async function reach${one}(ctx: Context, id: number): Promise<${one}Row> {
  return present(await find${one}(ctx.db, ctx.scope, id), ${noun}Kind);
}`,
  );
}

function schema({ noun, one, plural, idField }: Names): string {
  return `import { z } from 'zod';
import type { ${one}Row } from '../../../store/${plural}.ts';
import { timestamp } from '../../domain/time.ts';

export const ${noun} = z
  .object({
    ${idField}: z.string().describe('Id of the ${noun}.'),
    name: z.string().describe('Name of the ${noun}.'),
    note: z.string().nullable().describe('What is worth knowing of it; null when nothing is.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
  })
  .meta({ id: '${one}' });

export function ${noun}Record(row: ${one}Row): z.input<typeof ${noun}> {
  return {
    ${idField}: String(row.id),
    name: row.name,
    note: row.note,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
`;
}

/** A definition from its parts: what every capability has comes first. */
function definition(names: Names, operation: Operation, rest: string): string {
  const { noun } = names;
  const described = DESCRIBED[operation](names);
  return `export const ${constantOf(noun, operation)} = defineTool({
  name: '${noun}_${operation}',
  title: '${capital(operation)} ${operation === 'list' ? names.plural : noun}',
${exampleOf(names, operation)}  description: '${described}',
${rest}});
`;
}

/** Input that works but for its ids. */
function exampleOf({ noun, idField }: Names, operation: Operation): string {
  if (operation === 'create') return `  example: { name: 'First ${noun}' },\n`;
  if (operation === 'list') return '  example: { take: 20 },\n';
  return `  example: { ${idField}: '1'${operation === 'update' ? ", note: 'Worth another.'" : ''} },\n`;
}

const DESCRIBED: Readonly<Record<Operation, (names: Names) => string>> = {
  create: ({ noun, idField }) => `Makes a ${noun} in your account. Returns it with its ${idField}.`,
  get: ({ noun, idField }) => `Gives one ${noun} of your account by its ${idField}, with its note.`,
  list: ({ plural }) => `Lists the ${plural} of your account, oldest first, with the counters of the list.`,
  update: ({ noun }) => `Changes a ${noun}; what is left out stays. Returns the ${noun} as it now is.`,
  execute: ({ noun }) =>
    `Carries out what a ${noun} stands for, and notes it in the log. Returns the ${noun}.`,
  delete: ({ noun }) => `Deletes a ${noun} of your account for good. Returns it as it was.`,
};

const NAME_FIELDS = (noun: string, end: string) => `
    name: shortText(255)${end}.describe('Name of the ${noun}.'),
    note: shortText(1000).optional().describe('What is worth knowing of it.'),`;

const TOOLS: Readonly<Record<Operation, (names: Names) => string>> = {
  create: (names) => `import { z } from 'zod';
import { insert${names.one} } from '../../../store/${names.plural}.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { shortText } from '../../domain/text.ts';
import { ${names.noun}Kind } from './reach.ts';
import { ${names.noun}, ${names.noun}Record } from './schema.ts';

${definition(
  names,
  'create',
  `  effect: 'create',
  audit: { kind: ${names.noun}Kind, ofResult: ({ ${names.idField} }) => ${names.idField} },
  access: needs('buyer:write'),
  rest: { method: 'POST', path: '${names.path}', status: 201 },
  input: z.strictObject({${NAME_FIELDS(names.noun, '')}
  }),
  output: ${names.noun},
  errors: [],
  handler: async (ctx, input) => {
    const row = await ctx.write(
      (tx) =>
        insert${names.one}(tx, ctx.scope, {
          name: input.name,
          note: input.note ?? null,${names.can('update') ? '\n          version: 1,' : ''}
          created_at: ctx.now,
          updated_at: ctx.now,
        }),
      ({ id, name }) => ({ resourceId: id, resourceName: name }),
    );

    return ${names.noun}Record(row);
  },
`,
)}`,
  get: (names) => `${oneImports(names)}
${definition(
  names,
  'get',
  `  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '${names.path}/{${names.idField}}' },
  input: z.strictObject({ ${names.idField}: numericId('the ${names.noun}', ${names.noun}Kind) }),
  output: ${names.noun},
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reach${names.one}(ctx, input.${names.idField}),
  handler: async (_ctx, _input, found) => ${names.noun}Record(found),
`,
)}`,
  list: (names) => `import { z } from 'zod';
import { list${names.many} } from '../../../store/${names.plural}.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { ${names.noun}, ${names.noun}Record } from './schema.ts';

${definition(
  names,
  'list',
  `  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '${names.path}', list: 'items' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: listOf(${names.noun}),
  errors: [],
  handler: async (ctx, input) => {
    const { rows, total } = await list${names.many}(ctx.db, ctx.scope, input);
    return { items: rows.map(${names.noun}Record), ...nextPage(input, rows.length, total) };
  },
`,
)}`,
  update: (names) => `${oneImports(names, 'update')}
${definition(
  names,
  'update',
  `  effect: 'update',
  audit: { kind: ${names.noun}Kind, ofInput: ({ ${names.idField} }) => ${names.idField} },
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '${names.path}/{${names.idField}}' },
  input: z.strictObject({
    ${names.idField}: numericId('the ${names.noun}', ${names.noun}Kind),${NAME_FIELDS(names.noun, '.optional()')}
  }),
  output: ${names.noun},
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reach${names.one}(ctx, input.${names.idField}),
  handler: async (ctx, input, found) => {
    const row = await writeUpdate(ctx, {
      kind: ${names.noun}Kind,
      found,
      given: { name: input.name, note: input.note },
      update: (tx, set) =>
        update${names.one}(tx, ctx.scope, {
          id: found.id,
          version: found.version,
          set: { ...set, updated_at: ctx.now },
        }),
      record: ${names.noun}Record,
      about: ({ id, name }) => ({ resourceId: id, resourceName: name }),
    });

    return ${names.noun}Record(row);
  },
`,
)}`,
  execute: (names) => `${oneImports(names, 'nothing')}
${definition(
  names,
  'execute',
  `  effect: 'act',
  audit: { kind: ${names.noun}Kind, ofInput: ({ ${names.idField} }) => ${names.idField} },
  access: needs('buyer:write'),
  rest: { method: 'POST', path: '${names.path}/{${names.idField}}/execute' },
  input: z.strictObject({ ${names.idField}: numericId('the ${names.noun}', ${names.noun}Kind) }),
  output: ${names.noun},
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reach${names.one}(ctx, input.${names.idField}),
  handler: async (ctx, _input, found) => {
    await ctx.write(async () => {}, { resourceId: found.id, resourceName: found.name });

    return ${names.noun}Record(found);
  },
`,
)}`,
  delete: (names) => `${oneImports(names, 'delete')}
${definition(
  names,
  'delete',
  `  effect: 'delete',
  audit: { kind: ${names.noun}Kind, ofInput: ({ ${names.idField} }) => ${names.idField} },
  access: needs('buyer:admin'),
  rest: { method: 'DELETE', path: '${names.path}/{${names.idField}}' },
  input: z.strictObject({ ${names.idField}: numericId('the ${names.noun}', ${names.noun}Kind) }),
  output: ${names.noun},
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reach${names.one}(ctx, input.${names.idField}),
  handler: async (ctx, _input, found) => {
    await ctx.write((tx) => delete${names.one}(tx, ctx.scope, found.id), {
      resourceId: found.id,
      resourceName: found.name,
    });

    return ${names.noun}Record(found);
  },
`,
)}`,
};

/** What a capability imports that is about one object, and what it does to it in the store if it may change it. */
function oneImports({ noun, one, plural }: Names, change?: 'update' | 'delete' | 'nothing'): string {
  const stores = change === 'update' || change === 'delete';
  const updates = change === 'update';
  return parts(
    `import { z } from 'zod';`,
    stores && `import { ${change}${one} } from '../../../store/${plural}.ts';`,
    `import { needs } from '../../core/access.ts';`,
    `import { defineTool } from '../../core/define.ts';`,
    updates && `import { writeUpdate } from '../../core/updating.ts';`,
    `import { numericId } from '../../domain/ids.ts';`,
    updates && `import { shortText } from '../../domain/text.ts';`,
    `import { ${noun}Kind, reach${one} } from './reach.ts';`,
    `import { ${noun}, ${noun}Record } from './schema.ts';`,
  );
}
