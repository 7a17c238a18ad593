import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { Tool } from '../../tools/core/define.ts';
import { invalid } from '../../tools/core/errors/refusals.ts';
import { inputForHosts, outputForHosts } from '../../tools/core/host-schemas.ts';
import { once } from '../../tools/core/once.ts';
import { type McpSurface, serversOf } from '../../tools/core/surfaces.ts';

/** The tools of one MCP address. */
export interface Catalog {
  readonly tools: ReadonlyMap<string, Tool>;
  /** The same tools as hosts see them: put together when somebody asks, because a start must not wait for it. */
  readonly list: readonly McpTool[];
  /** The list as JSON, made each time: who serves it from memory keeps it. */
  readonly listJson: string;
}

/** Which tools an address shows: `?toolsets=discovery,campaigns&readonly=true`. */
export interface Choice {
  readonly toolsets: readonly string[];
  readonly readonly: boolean;
}

export function toolsOf(tools: readonly Tool[], surface: McpSurface, choice: Choice): Tool[] {
  return tools.filter(
    (tool) =>
      serversOf(tool.surface).includes(surface) &&
      (choice.toolsets.length === 0 || choice.toolsets.includes(tool.toolset)) &&
      (!choice.readonly || tool.effect === 'read'),
  );
}

export function catalogOf(tools: readonly Tool[], extra: readonly McpTool[] = []): Catalog {
  const list = once(() => [...tools.map(describe), ...extra]);
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    get list() {
      return list();
    },
    get listJson() {
      return JSON.stringify(list());
    },
  };
}

/** One description of a tool for all catalogs: there are a thousand ways to narrow an address, and few tools. */
const described = new WeakMap<Tool, McpTool>();

function describe(tool: Tool): McpTool {
  const known = described.get(tool) ?? newDescription(tool);
  described.set(tool, known);
  return known;
}

function newDescription(tool: Tool): McpTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputForHosts(tool.input),
    outputSchema: outputForHosts(tool.output),
    annotations: {
      title: tool.title,
      readOnlyHint: tool.effect === 'read',
      destructiveHint: tool.effect === 'delete' || tool.effect === 'act',
      idempotentHint: tool.effect === 'read' || tool.effect === 'update' || tool.effect === 'delete',
      openWorldHint: tool.openWorld ?? false,
    },
  };
}

const CHOICES: readonly string[] = ['toolsets', 'readonly'] satisfies (keyof Choice)[];

/** Reads the choice from the query of an MCP address; what it does not know it names, and passes over nothing. */
export function choiceOf(query: URLSearchParams, toolsets: readonly string[]): Choice {
  for (const name of query.keys()) {
    if (!CHOICES.includes(name)) throw invalid(name, `Unknown here. Known: ${CHOICES.join(', ')}.`);
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
