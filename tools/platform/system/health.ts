import { z } from 'zod';
import { lastBeat } from '../../../store/processes.ts';
import { open } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { unavailable } from '../../core/errors/refusals.ts';
import { timestamp } from '../../domain/time.ts';

export const health = defineTool({
  name: 'health',
  title: 'Check health',
  example: {},
  description:
    'Says whether the service is up and its database takes writes, and which version runs. Needs no ' +
    'credential over REST. Returns status ok; a service that cannot work answers SERVICE_UNAVAILABLE.',
  effect: 'read',
  access: open,
  rest: { method: 'GET', path: '/health', atRoot: true, uncounted: true },
  input: z.strictObject({}),
  output: z.object({
    status: z.literal('ok').describe('Always ok: anything else is an error.'),
    version: z.string().describe('Version of the service.'),
    database: z.enum(['sqlite', 'postgres']).describe('Which database answers.'),
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
    return { status: 'ok' as const, version, database: store.engine.name, timestamp: ctx.now };
  },
});
