import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { Tool } from '../../tools/core/define.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/json-schema.ts';
import { once } from '../../tools/core/once.ts';

/** The tools of one MCP address. */
export interface Catalog {
  /** What may be called. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** What of it hosts are shown: put together when somebody asks, because a start must not wait for it. */
  readonly list: readonly McpTool[];
  /** The list as JSON, made each time: who serves it from memory keeps it. */
  readonly listJson: string;
}

interface Shown {
  /** All of them, unless said otherwise. */
  readonly shown?: readonly Tool[];
  /** Tools beyond the registry. */
  readonly extra?: readonly McpTool[] | undefined;
}

/** The shape of `structuredContent` when `isError` is true. */
const failureSchema: JsonSchema = {
  type: 'object',
  description: 'What a failed call returns, with isError true.',
  properties: {
    code: { type: 'string', description: 'Machine-readable error code.' },
    message: { type: 'string', description: 'What went wrong, for a reader.' },
    field: { type: 'string', description: 'Path of the one field that is wrong.' },
    suggestion: { type: 'string', description: 'What to do next.' },
    details: { type: 'object', description: 'More about the error, such as details.issues.' },
    retryAfter: { type: 'integer', description: 'Seconds to wait before a retry.' },
    recovery: { type: 'string', enum: ['transient', 'correctable', 'terminal'] },
  },
  required: ['code', 'message', 'recovery'],
};

export function catalogOf(tools: readonly Tool[], { shown = tools, extra = [] }: Shown = {}): Catalog {
  const list = once(() => [...shown.map(describe), ...extra]);
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
  // What passes calls on may do whatever those do.
  const effect = tool.passesOn ? 'act' : tool.effect;
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { type: 'object', ...jsonSchema(tool.input, 'input') },
    outputSchema: outputSchema(tool),
    annotations: {
      title: tool.title,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'delete' || effect === 'act',
      idempotentHint: effect === 'read' || effect === 'update' || effect === 'delete',
      openWorldHint: tool.openWorld ?? false,
    },
  };
}

/** Admits the failure too: clients check `structuredContent` against it even when `isError` is true. */
function outputSchema(tool: Tool): { type: 'object' } & JsonSchema {
  const { $defs, ...success } = jsonSchema(tool.output, 'output');
  return { type: 'object', anyOf: [success, failureSchema], ...($defs === undefined ? {} : { $defs }) };
}
