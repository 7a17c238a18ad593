import { restPaths } from '../../core/addresses.ts';
import type { Context } from '../../core/context.ts';
import { isOverMcp, type Tool } from '../../core/define.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { HOW_TO_ESCAPE, invalid, invalidInput } from '../../core/errors/refusals.ts';
import { once } from '../../core/once.ts';
import { nearestNames } from '../../core/schemas/nearest-names.ts';
import { serversOf, surfaces } from '../../core/surfaces.ts';
import { kindsOf, readParam, readQuery } from '../../core/text-input.ts';
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
  requireOverMcp(tool, field);
  if (tool.passesOn) throw invalid(field, `${tool.name} does not call itself.`, { suggestion: SEARCH });
  requireHere(ctx, tool, field);
  return {
    tool,
    input: merged(tool, {
      pathParams: [found.params ?? {}, asked.pathParams ?? {}],
      queries: [found.query ?? {}, asked.query ?? {}],
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
    tools.filter(isOverMcp).map(({ name }) => name),
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
  requireReadable(path);
  const found = addressOf(services.registry, { method, path, ownUrl: services.publicUrl() });
  if (found !== undefined) return { ...found, field: 'path' };
  throw invalid('path', `There is no operation at ${method} of this path.`, { suggestion: SEARCH });
}

/** As of a request over HTTP: escapes have to be some, and nothing in them what no field can hold. */
function requireReadable(path: string): void {
  const text = decoded(path);
  if (text === undefined) throw invalid('path', 'Holds a broken % escape.', { suggestion: HOW_TO_ESCAPE });
  if (text.includes('\u0000')) throw invalid('path', 'Holds a NUL character.');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** What hands out secrets that live long is not for chats (interface, Authentication rule 3). */
function requireOverMcp(tool: Tool, field: string): void {
  if (isOverMcp(tool)) return;
  const [path] = restPaths(tool.surface, tool.rest);
  throw invalid(field, `${tool.name} cannot be called over MCP.`, {
    suggestion: `Ask a person of the organization to call ${tool.rest?.method} ${path} while signed in, or to use the settings page.`,
  });
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

interface Given {
  /** Of the path itself, and beside it. */
  readonly pathParams: readonly Fields[];
  readonly queries: readonly Fields[];
  readonly body: Fields;
}

/** One input of all that was given. What says two things of one field is refused. */
function merged(tool: Tool, { pathParams, queries, body }: Given) {
  const kinds = once(() => kindsOf(tool));
  const params = pathParams
    .flatMap(Object.entries<unknown>)
    .map(([name, value]): [string, unknown] => [
      name,
      typeof value === 'string' ? readParam(name, value, kinds) : value,
    ]);
  const asked = queries.flatMap((query) => Object.entries(readQuery(query, kinds)));
  const given = [...params, ...asked, ...Object.entries(body)];
  const input = new Map(given);
  const doubled = given.filter(([name, value]) => textOf(input.get(name)) !== textOf(value));
  if (doubled.length === 0) return Object.fromEntries(input);
  throw invalidInput(doubled.map(([name]) => ({ path: name, message: 'Is given twice, with two values.' })));
}

/** A number is the same as its digits: a path has no other. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
