import { z } from 'zod';
import { lastBeat } from '../../../store/unscoped/processes.ts';
import { open } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { unavailable } from '../../core/errors/refusals.ts';
import { timestamp } from '../../domain/time.ts';

export const health = defineTool({
  name: 'health',
  title: 'Check health',
  example: {},
  description:
    'Says whether the service is up and its database takes writes. Needs no credential over REST; with one it ' +
    'also says which version runs. Returns status ok; a service that cannot work answers SERVICE_UNAVAILABLE.',
  effect: 'read',
  access: open,
  rest: { method: 'GET', path: '/health', atRoot: true, uncounted: true },
  input: z.strictObject({}),
  output: z.object({
    status: z.literal('ok').describe('Always ok: anything else is an error.'),
    version: z.string().optional().describe('Version of the service. Left out without a credential.'),
    database: z
      .enum(['sqlite', 'postgres'])
      .optional()
      .describe('Which database answers. Left out without a credential.'),
    timestamp: timestamp.describe('The time of the answer.'),
  }),
  errors: [],
  handler: async (ctx) => {
    const { store, processId, version, stopping, limits } = ctx.services;
    if (stopping.aborted) throw unavailable('The service is stopping.');
    const written = await lastBeat(store.db, processId);
    // A process writes several times within its lease; once that is over, others take it for dead.
    if (written === undefined || Date.parse(ctx.now) - Date.parse(written) > limits.processLeaseMs) {
      throw unavailable('The database does not take writes.');
    }
    // What runs here helps strangers alone who look for its weaknesses.
    const facts = ctx.caller.kind === 'anonymous_agent' ? {} : { version, database: store.engine.name };
    return { status: 'ok' as const, ...facts, timestamp: ctx.now };
  },
});
