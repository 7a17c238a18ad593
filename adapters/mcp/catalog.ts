import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { Tool } from '../../tools/core/define.ts';
import { outputForHosts, toolInputForHosts } from '../../tools/core/host-schemas.ts';
import { once } from '../../tools/core/once.ts';

/** The tools of one MCP address. */
export interface Catalog {
  /** What may be called. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** What the log and the counts call them, by their names. */
  readonly targets: ReadonlyMap<string, string>;
  /** What of it hosts are shown: put together when somebody asks, because a start must not wait for it. */
  readonly list: readonly McpTool[];
  /** The list as JSON, made each time: who serves it from memory keeps it. */
  readonly listJson: string;
  /** What is shown at the address of one tool, by its name; without a name, the list. */
  listAt(only: string | undefined): readonly McpTool[];
}

interface Shown {
  /** All of them, unless said otherwise. */
  readonly shown?: readonly Tool[];
  /** Tools beyond the registry. */
  readonly extra?: readonly McpTool[] | undefined;
}

export function catalogOf(tools: readonly Tool[], { shown = tools, extra = [] }: Shown = {}): Catalog {
  const list = once(() => [...shown.map(describe), ...extra]);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    tools: byName,
    targets: new Map(tools.map(({ name }) => [name, `mcp ${name}`])),
    get list() {
      return list();
    },
    get listJson() {
      return JSON.stringify(list());
    },
    listAt: (only) => {
      const tool = only === undefined ? undefined : byName.get(only);
      return tool === undefined ? list() : [describe(tool)];
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
  // What passes calls on may do whatever those do.
  const effect = tool.passesOn ? 'act' : tool.effect;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toolInputForHosts(tool),
    outputSchema: outputForHosts(tool.output),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'delete' || effect === 'act',
      idempotentHint: effect === 'read' || effect === 'update' || effect === 'delete',
      openWorldHint: tool.openWorld !== undefined,
    },
  };
}
