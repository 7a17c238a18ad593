import { isFields } from '../../core/checks.ts';
import type { Context } from '../../core/context.ts';
import type { Tool } from '../../core/define.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { invalid, invalidInput } from '../../core/errors/refusals.ts';
import { jsonSchema } from '../../core/json-schema.ts';
import { nearestNames } from '../../core/nearest.ts';
import { serversOf, surfaces } from '../../core/surfaces.ts';
import { addressOf } from './address.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What was asked of `api_call`. */
export interface Asked {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly pathParams?: Fields | undefined;
  readonly query?: Fields | undefined;
  readonly body?: Fields | undefined;
}

interface Operation {
  readonly tool: Tool;
  /** Its raw input: its own schema reads it. */
  readonly input: Fields;
}

const SEARCH = 'Find operations with capability_search.';

/** The capability that is meant, and what it is given. Refuses what is not there, or not on this server. */
export function operationOf(ctx: Context, asked: Asked): Operation {
  const { tool, field, ...found } =
    asked.operation === undefined ? byAddress(ctx, asked) : byName(ctx, asked);
  if (tool.passesOn) throw invalid(field, `${tool.name} does not call itself.`, { suggestion: SEARCH });
  requireHere(ctx, tool, field);
  return {
    tool,
    input: merged(tool, {
      pathParams: { ...found.params, ...asked.pathParams },
      query: { ...found.query, ...asked.query },
      body: asked.body ?? {},
    }),
  };
}

interface Found {
  readonly tool: Tool;
  /** The field that named it. */
  readonly field: string;
  readonly params?: Fields;
  readonly query?: Fields;
}

function byName({ services }: Context, { operation = '', method, path }: Asked): Found {
  if (method !== undefined || path !== undefined) {
    throw invalid('operation', 'Give operation, or method and path; not both.', { suggestion: SEARCH });
  }
  const { tools } = services.registry;
  const tool = tools.find(({ name }) => name === operation);
  if (tool !== undefined) return { tool, field: 'operation' };
  const near = nearestNames(
    operation,
    tools.map(({ name }) => name),
  );
  const meant = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  throw invalid('operation', 'There is no such operation.', { suggestion: `${meant}${SEARCH}` });
}

function byAddress({ services }: Context, { method, path }: Asked): Found {
  const missing: Issue[] = [
    ...(method === undefined && path === undefined
      ? [{ path: 'operation', message: 'Required: give operation, or method and path.' }]
      : []),
    ...(method === undefined && path !== undefined
      ? [{ path: 'method', message: 'Required with path: give GET, POST, PUT, PATCH or DELETE.' }]
      : []),
    ...(method !== undefined && path === undefined
      ? [{ path: 'path', message: 'Required with method: give the path of an address.' }]
      : []),
  ];
  if (method === undefined || path === undefined) throw invalidInput(missing, { suggestion: SEARCH });
  const found = addressOf(services.registry, { method, path, ownUrl: services.publicUrl() });
  if (found !== undefined) return { ...found, field: 'path' };
  throw invalid('path', `There is no operation at ${method} of this path.`, { suggestion: SEARCH });
}

/** A server reaches its own surface: calls are counted by the account that it works in. */
function requireHere({ server, services }: Context, tool: Tool, field: string): void {
  const servers = serversOf(tool.surface);
  if (server === undefined || servers.includes(server.surface)) return;
  const [own = server.surface] = servers;
  throw invalid(field, `${tool.name} is of the ${own} surface.`, {
    suggestion: `Call it on the MCP server at ${services.publicUrl()}${surfaces[own].mcp.path}.`,
  });
}

/** One input of the three. What says two things of one field is refused. */
function merged(
  tool: Tool,
  { pathParams, query, body }: Readonly<Record<'pathParams' | 'query' | 'body', Fields>>,
) {
  const properties = propertiesOf(tool);
  const given = [
    ...Object.entries(pathParams).map(([name, value]) => ({ name, value: readAs(properties[name], value) })),
    ...Object.entries(query).map(([name, value]) => ({ name, value: readAs(properties[name], value) })),
    ...Object.entries(body).map(([name, value]) => ({ name, value })),
  ];
  const input = new Map(given.map(({ name, value }) => [name, value]));
  const doubled = given.filter(
    ({ name, value }) => JSON.stringify(input.get(name)) !== JSON.stringify(value),
  );
  if (doubled.length === 0) return Object.fromEntries(input);
  throw invalidInput(
    doubled.map(({ name }) => ({ path: name, message: 'Is given twice, with two values.' })),
  );
}

function propertiesOf(tool: Tool): Fields {
  const { properties } = jsonSchema(tool.input, 'input');
  return isFields(properties) ? properties : {};
}

/** Text of a path or a query, as the published type of its field reads it. */
function readAs(schema: unknown, value: unknown): unknown {
  if (typeof value !== 'string' || !isFields(schema)) return value;
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'array':
      return value
        .split(',')
        .filter((item) => item !== '')
        .map((item) => readAs(schema['items'], item));
    default:
      return value;
  }
}
