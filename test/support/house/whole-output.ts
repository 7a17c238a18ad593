import type { Tool } from '../../../tools/core/define.ts';
import { ID_MARK, type JsonSchema, markedSchema } from '../../../tools/core/schemas/json-schema.ts';

/** What the answers of a tool over MCP have to be in all their depth, of which lists of tools show a part. */
export function wholeOutput({ output }: Pick<Tool, 'output'>): JsonSchema {
  return JSON.parse(JSON.stringify(markedSchema(output, 'output')), (_, part) => withTextId(part));
}

function withTextId(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !(ID_MARK in part)) return part;
  return 'type' in part ? { type: 'string' } : part;
}
