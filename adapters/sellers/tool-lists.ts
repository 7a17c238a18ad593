import { asText } from '../../tools/core/schemas/as-text.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { classifyFailure } from './client-failures.ts';
import { isName } from './declared-tools.ts';
import type { CallOptions, DeclaredTool, ToolClient } from './mcp-client.ts';

/** What a tool takes, as far as its server names it. */
export interface Takes {
  /** Its fields; undefined where it names none, and takes whatever comes. */
  readonly fields?: ReadonlySet<string>;
  /** The fields of one of its packages. */
  readonly packageFields?: ReadonlySet<string>;
  /** True where it says that it takes other fields as well. */
  readonly open: boolean;
}

/** The tools of a server by name; empty where it gives no list. */
export type ToolList = ReadonlyMap<string, Takes>;

const UNKNOWN: Takes = { open: true };

/** What is known of a tool: nothing, where the server does not name it. */
export function takesOf(list: ToolList, tool: string): Takes {
  return list.get(tool) ?? UNKNOWN;
}

/** Whether a tool may be there: a server that gives no list may have any. */
export function mayHave(list: ToolList, tool: string): boolean {
  return list.size === 0 || list.has(tool);
}

/** The list of a server. One that has none is no worse a seller. */
export async function toolListOf(client: ToolClient, options: CallOptions): Promise<ToolList> {
  try {
    return new Map((await client.tools(options)).map((tool) => [tool.name, takenBy(tool)]));
  } catch (error) {
    if (options.signal.aborted || classifyFailure(error) !== 'not_mcp') throw error;
    return new Map();
  }
}

/**
 * A request as the tool takes it. Many sellers refuse a call for one field that they do not know, although the
 * protocol has them pass over it.
 */
export function fitted(args: Record<string, unknown>, { fields, open }: Takes): Record<string, unknown> {
  if (fields === undefined || open) return args;
  return Object.fromEntries(Object.entries(withManifest(args, fields)).filter(([name]) => fields.has(name)));
}

/** AdCP 2 names the brand by its manifest. */
function withManifest(args: Record<string, unknown>, fields: ReadonlySet<string>): Record<string, unknown> {
  const domain =
    fields.has('brand') || !fields.has('brand_manifest') ? undefined : at(args, 'brand', 'domain');
  if (typeof domain !== 'string') return args;
  return { ...args, brand_manifest: { name: domain, url: `https://${domain}` } };
}

function takenBy({ inputSchema }: DeclaredTool): Takes {
  const fields = namesIn(at(inputSchema, 'properties'));
  const packages = resolved(listIn(at(inputSchema, 'properties', 'packages')), inputSchema);
  const packageFields = namesIn(at(packages, 'properties'));
  const others = at(inputSchema, 'additionalProperties');
  return {
    ...(fields === undefined ? {} : { fields }),
    ...(packageFields === undefined ? {} : { packageFields }),
    open: others === true || isFields(others),
  };
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((here: unknown, name) => (isFields(here) ? here[name] : undefined), value);
}

/** The items of a list, also of one that may be null. */
function listIn(schema: unknown): unknown {
  const either = at(schema, 'anyOf');
  const items = Array.isArray(either) ? either.map((one) => at(one, 'items')).find(isFields) : undefined;
  return at(schema, 'items') ?? items;
}

function resolved(schema: unknown, root: unknown): unknown {
  const [, place = '', name = ''] =
    /^#\/(\$defs|definitions)\/([^/]+)$/.exec(asText(at(schema, '$ref'))) ?? [];
  return place === '' ? schema : at(root, place, name);
}

/** More fields than any tool has. */
const FIELDS_MAX = 500;

/** A schema without any field takes what comes. */
function namesIn(properties: unknown): ReadonlySet<string> | undefined {
  const names = isFields(properties) ? Object.keys(properties) : [];
  return names.length === 0 ? undefined : new Set(names.filter(isName).slice(0, FIELDS_MAX));
}
