import { z } from 'zod';
import { open } from '../../core/access.ts';
import { fullPath } from '../../core/addresses.ts';
import { defineTool } from '../../core/define.ts';
import { withTextIds } from '../../core/schemas/text-ids.ts';
import { operationOf } from './operation.ts';

const anyFields = z.looseObject({});

export const apiCall = defineTool({
  name: 'api_call',
  title: 'Call operation',
  example: { operation: 'advertiser_get', pathParams: { advertiserId: 1 } },
  description:
    'Calls any operation of this server, listed or not: by operation, the name that capability_search gives, or ' +
    'by method and path of its REST address. pathParams, query and body together are its input, as in its ' +
    'example of capability_search. Permissions, terms and every other rule are those of the operation, ' +
    'and so are its answer and its errors. Call a tool of the list by its own name instead.',
  effect: 'read',
  passesOn: true,
  openWorld: true,
  access: open,
  input: z.strictObject({
    operation: z.string().min(1).max(128).optional().describe('Name of the operation, such as campaign_get.'),
    method: z
      .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      .optional()
      .describe('With path, in place of operation: the HTTP method.'),
    path: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .describe(`With method: the path, such as ${fullPath('buyer', '/campaigns/cmp_…')}.`),
    pathParams: anyFields.optional().describe('Ids of the path, by name.'),
    query: anyFields.optional().describe('Fields of the query, by name.'),
    body: anyFields.optional().describe('Fields of the body, by name.'),
    idempotencyKey: z.string().optional().describe('Makes repeats of a change safe: a new UUID each change.'),
  }),
  // All three are one input: whoever gives it whole under the word of another protocol means the same.
  spellings: { body: ['input', 'arguments', 'params'] },
  output: anyFields,
  errors: [],
  handler: async (ctx, { idempotencyKey, ...input }) => {
    const { tool, input: given } = operationOf(ctx, input);
    const keyed = idempotencyKey === undefined ? given : { ...given, idempotencyKey };
    const { output } = await ctx.passOn(tool, keyed);
    return withTextIds(tool, output);
  },
});
