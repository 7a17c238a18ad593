import { z } from 'zod';
import { open } from '../../core/access.ts';
import { restPaths } from '../../core/addresses.ts';
import type { Context } from '../../core/context.ts';
import { defineTool, isOverMcp, onlyReads, type Tool } from '../../core/define.ts';
import { exampleOverMcp, workedCall } from '../../core/examples.ts';
import { markedSchema } from '../../core/schemas/json-schema.ts';
import { type Field, schemaFields, typeIn } from '../../core/schemas/schema-fields.ts';
import { serversOf, surfaceNames, surfaces } from '../../core/surfaces.ts';
import { search } from './search-index.ts';

/** Somewhere else it is of less use: it takes another server to call it. */
const ELSEWHERE = 0.5;

/** So much of whole descriptions stands in one answer. */
const WHOLE_BYTES_MAX = 16_000;

const anyFields = z.looseObject({});

const found = z
  .object({
    operation: z.string().describe('Its name: what api_call takes, and the tool where it is listed.'),
    title: z.string().describe('What it does, in a few words.'),
    surface: z.enum(surfaceNames).describe('Whose side it is on.'),
    server: z.string().optional().describe('Present when another MCP server calls it: its address.'),
    toolset: z.string().describe('The toolset it belongs to.'),
    changes: z.boolean().describe('False when it only reads.'),
    description: z.string().optional().describe('When to use it, what it returns, what to call next.'),
    address: z.string().optional().describe('Its method and path over REST.'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe('Its input: each field with its type and whether it is required; in full, what it is.'),
    example: anyFields.optional().describe('A worked call, as api_call takes it; put your own ids into it.'),
  })
  .meta({ id: 'FoundCapability' });

export const capabilitySearch = defineTool({
  name: 'capability_search',
  title: 'Search capabilities',
  example: { query: 'who changed a campaign', limit: 3 },
  description:
    'Finds operations by words, those that the list of tools does not show too: in names, titles, descriptions, ' +
    'fields and examples, the best first. Returns for each its name, its input in short and a worked call; all of its fields with detail full. Call ' +
    'what it finds by its own name where it is in your list, and with api_call otherwise.',
  effect: 'read',
  access: open,
  input: z.strictObject({
    query: z.string().min(1).max(300).describe('What you want to do, in a few words.'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(20)
      .default(5)
      .describe('How many to show, 1 to 20; full shows whole what fits into 16 kB.'),
    detail: z
      .enum(['compact', 'full'])
      .default('compact')
      .describe('full adds what each field is, those inside others, and the whole description.'),
  }),
  output: z.object({
    total: z.number().int().describe('How many there are that fit somehow.'),
    items: z.array(found).describe('The best of them.'),
  }),
  errors: [],
  handler: async (ctx, { query, limit, detail }) => {
    const hits = search(ctx.services.registry, query)
      .filter(({ tool }) => isOffered(ctx, tool))
      .map(({ tool, score }) => ({ tool, score: score * (isHere(ctx, tool) ? 1 : ELSEWHERE) }))
      .sort((a, b) => b.score - a.score);
    const shown = hits.slice(0, limit).map(({ tool }) => tool);
    return {
      total: hits.length,
      items: detail === 'full' ? whole(ctx, shown) : shown.map((tool) => inShort(ctx, tool)),
    };
  },
});

/** What finds and passes on is not found; nor is what MCP does not know, or an address that only reads refuses. */
function isOffered({ server }: Context, tool: Tool): boolean {
  return (
    isOverMcp(tool) &&
    !tool.passesOn &&
    tool.name !== 'capability_search' &&
    !(server?.readonly && !onlyReads(tool))
  );
}

function isHere({ server }: Context, tool: Tool): boolean {
  return server === undefined || serversOf(tool.surface).includes(server.surface);
}

type Found = z.input<typeof found>;

/** Whole as far as that fits, the best in any case; the others in short. */
function whole(ctx: Context, shown: readonly Tool[]): Found[] {
  let room = WHOLE_BYTES_MAX;
  return shown.map((tool, index) => {
    const item = inFull(ctx, tool);
    room -= Buffer.byteLength(JSON.stringify(item));
    return index === 0 || room >= 0 ? item : inShort(ctx, tool);
  });
}

function inShort(ctx: Context, tool: Tool): Found {
  const [purpose = ''] = tool.description.split(/(?<=\.) /);
  const fields = inputFields(tool).filter(isOfTheFirst);
  return {
    ...named(ctx, tool),
    description: purpose,
    fields: Object.fromEntries(fields.map((field) => [field.path, asked(field)])),
    example: exampleOf(tool),
  };
}

/** What has to be given, and what stands in nothing else. */
function isOfTheFirst({ path }: Field, _: number, all: readonly Field[]): boolean {
  const above = path.split('.').map((_part, index, parts) => parts.slice(0, index + 1).join('.'));
  return above.length === 1 || above.every((one) => all.find((field) => field.path === one)?.required);
}

function inFull(ctx: Context, tool: Tool): Found {
  const [path] = restPaths(tool.surface, tool.rest);
  const fields = inputFields(tool).map((field) => [
    field.path,
    `${asked(field)}${field.about === '' ? '' : `: ${field.about}`}`,
  ]);
  return {
    ...named(ctx, tool),
    description: tool.description,
    ...(path === undefined || tool.rest === undefined ? {} : { address: `${tool.rest.method} ${path}` }),
    fields: Object.fromEntries(fields),
    example: exampleOf(tool),
  };
}

function named(ctx: Context, tool: Tool): Found {
  const [server] = serversOf(tool.surface);
  return {
    operation: tool.name,
    title: tool.title,
    surface: tool.surface,
    ...(server === undefined || isHere(ctx, tool)
      ? {}
      : { server: `${ctx.services.publicUrl()}${surfaces[server].mcp.path}` }),
    toolset: tool.toolset,
    changes: tool.effect !== 'read',
  };
}

function exampleOf(tool: Tool) {
  return { ...workedCall({ ...tool, example: exampleOverMcp(tool) }) };
}

/** Of the types that lists of tools publish: an id is text there. */
function inputFields(tool: Tool): Field[] {
  return schemaFields(markedSchema(tool.input, 'input'));
}

function asked(field: Field): string {
  return `${typeIn(field, ' | ')}${field.required ? ', required' : ''}`;
}
