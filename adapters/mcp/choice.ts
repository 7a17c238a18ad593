import type { IncomingHttpHeaders } from 'node:http';
import { isOverMcp, onlyReads, type Tool } from '../../tools/core/define.ts';
import { invalid } from '../../tools/core/errors/refusals.ts';
import type { Family } from '../../tools/core/families.ts';
import { type McpSurface, serversOf } from '../../tools/core/surfaces.ts';

/** How an address is narrowed: `?toolsets=discovery,campaigns&readonly=true`, or the headers that mean the same. */
export interface Choice {
  /** None: whatever there is may be called, and the default list is shown. */
  readonly toolsets: readonly string[];
  readonly readonly: boolean;
}

export const everything: Choice = { toolsets: [], readonly: false };

const CHOICES = [
  ['toolsets', 'x-mcp-toolsets'],
  ['readonly', 'x-mcp-readonly'],
] as const satisfies readonly (readonly [keyof Choice, string])[];
const NAMES: readonly string[] = CHOICES.map(([name]) => name);

/** What may be called at an address. */
export function toolsOf(tools: readonly Tool[], surface: McpSurface, choice: Choice): Tool[] {
  return tools.filter(
    (tool) =>
      isOverMcp(tool) &&
      serversOf(tool.surface).includes(surface) &&
      (choice.toolsets.length === 0 || choice.toolsets.includes(tool.toolset)) &&
      (!choice.readonly || onlyReads(tool)),
  );
}

/** What of it a host is shown: a toolset that was chosen is shown whole. */
export function shownOf(tools: readonly Tool[], choice: Choice): Tool[] {
  return tools.filter(({ inDefaultList }) => choice.toolsets.length > 0 || inDefaultList === true);
}

/** The toolsets of an MCP server, in the order of the registry. */
export function toolsetsOn(surface: McpSurface, families: readonly Family[]): string[] {
  const here = families.filter(
    (family) => family.tools.some(isOverMcp) && serversOf(family.surface).includes(surface),
  );
  return [...new Set(here.map(({ toolset }) => toolset))];
}

/** The query of an address and the headers that choose, as one query. Two that contradict are refused. */
export function askedFor(query: string, headers: IncomingHttpHeaders): string {
  const given = CHOICES.filter(([, header]) => headers[header] !== undefined);
  if (given.length === 0) return query;
  const both = new URLSearchParams(query);
  for (const [name, header] of given) {
    const value = String(headers[header]);
    if (both.getAll(name).some((there) => there !== value)) {
      throw invalid(name, `The header ${header} says something else than the query: give one of them.`);
    }
    both.set(name, value);
  }
  return both.toString();
}

/** Reads the choice; what it does not know it names, and passes over nothing. */
export function choiceOf(query: URLSearchParams, toolsets: readonly string[]): Choice {
  for (const name of query.keys()) {
    if (!NAMES.includes(name)) throw invalid(name, `Unknown here. Known: ${NAMES.join(', ')}.`);
    if (query.getAll(name).length > 1) throw invalid(name, 'Give it once.');
  }
  return { toolsets: toolsetsIn(query, toolsets), readonly: readonlyIn(query) };
}

function toolsetsIn(query: URLSearchParams, toolsets: readonly string[]): string[] {
  const wanted = (query.get('toolsets') ?? '').split(',').flatMap((name) => name.trim() || []);
  const chosen = toolsets.filter((name) => wanted.includes(name));
  if (chosen.length !== new Set(wanted).size) {
    throw invalid('toolsets', `Give some of: ${toolsets.join(', ')}.`);
  }
  return chosen;
}

/** Who means to keep write tools away must not get them for a slip of the pen. */
function readonlyIn(query: URLSearchParams): boolean {
  const given = query.get('readonly') ?? 'false';
  if (given !== 'true' && given !== 'false') throw invalid('readonly', 'Give true or false.');
  return given === 'true';
}
