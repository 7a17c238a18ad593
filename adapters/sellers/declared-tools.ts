import { isFields } from '../../tools/core/schemas/checks.ts';
import type { DeclaredTool } from './mcp-client.ts';

/** The tools that a server lists, within bounds: what it says has no length of its own. Pure. */

/** More tools than any seller has, and longer than any name of one. */
const TOOLS_MAX = 500;
const NAME_MAX = 128;
/** Characters of schemas that are read of one list. */
const SCHEMAS_MAX = 4_194_304;

export interface ToolListing {
  readonly tools: DeclaredTool[];
  /** Nothing more is taken: no further page is asked for. */
  readonly isFull: boolean;
  add(page: readonly unknown[]): void;
}

export function toolListing(): ToolListing {
  const tools: DeclaredTool[] = [];
  let left = SCHEMAS_MAX;
  const isFull = () => left <= 0 || tools.length >= TOOLS_MAX;
  const take = (entry: unknown) => {
    // Whatever takes no room as a tool takes some for having been sent.
    left -= JSON.stringify(entry)?.length ?? 1;
    const tool = left < 0 ? undefined : declared(entry);
    if (tool !== undefined) tools.push(tool);
  };
  return {
    tools,
    get isFull() {
      return isFull();
    },
    add: (page) => {
      for (const entry of page) {
        if (isFull()) break;
        take(entry);
      }
    },
  };
}

function declared(entry: unknown): DeclaredTool | undefined {
  if (!isFields(entry)) return undefined;
  const { name, inputSchema } = entry;
  return isName(name) ? { name, inputSchema } : undefined;
}

/** Whether a tool or a field of one may be called so. */
export function isName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= NAME_MAX;
}
