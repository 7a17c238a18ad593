import { z } from 'zod';
import { open } from '../../../tools/core/access.ts';
import { defineTool } from '../../../tools/core/define.ts';
import { campaignKind } from '../../../tools/domain/buying/reach.ts';

const fields = {
  word: z.string().max(100).optional(),
  count: z.number().int().max(1_000).optional(),
  price: z.number().optional(),
  on: z.boolean().optional(),
  words: z.array(z.string()).optional(),
  counts: z.array(z.number().int()).optional(),
  tree: z.unknown().optional(),
};

const common = {
  title: 'Say again',
  description: 'Says what it was given.',
  access: open,
  output: z.object({ given: z.unknown() }),
  errors: [],
} as const;

/** Gives back what it was given in the query, typed as it was read. */
const echoQuery = defineTool({
  ...common,
  name: 'echo_query',
  effect: 'read',
  rest: { method: 'GET', path: '/echo' },
  input: z.strictObject(fields),
  handler: async (_ctx, given) => ({ given }),
});

/** Gives back what it was given in the body. */
const echoBody = defineTool({
  ...common,
  name: 'echo_body',
  effect: 'act',
  audit: { kind: campaignKind, ofInput: ({ word }) => word },
  rest: { method: 'POST', path: '/echo' },
  input: z.strictObject(fields),
  handler: async (_ctx, given) => ({ given }),
});

/** Gives back what it was given in the path, the body beside it. */
const echoPath = defineTool({
  ...common,
  name: 'echo_path',
  effect: 'update',
  audit: { kind: campaignKind, ofInput: ({ word }) => word },
  rest: { method: 'PUT', path: '/echo/{word}' },
  input: z.strictObject(fields),
  handler: async (_ctx, given) => ({ given }),
});

const echoCount = defineTool({
  ...common,
  name: 'echo_count',
  effect: 'read',
  rest: { method: 'GET', path: '/echo/counts/{count}' },
  input: z.strictObject(fields),
  handler: async (_ctx, given) => ({ given }),
});

export const echoTools = [echoQuery, echoBody, echoPath, echoCount];
