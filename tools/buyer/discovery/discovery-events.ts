import { z } from 'zod';
import { type DiscoveryRevisionRow, listRevisionsAfter } from '../../../store/discovery-revisions.ts';
import { type DiscoverySessionRow, findSession } from '../../../store/discovery-sessions.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import type { Frame, StreamDefinition } from '../../core/streams.ts';
import { discoveryTopic } from '../../domain/discovery/asking/revisions.ts';
import { discoveryRevision } from '../../domain/discovery/events.ts';
import { reachSession } from '../../domain/discovery/reach.ts';
import { discoveryId } from '../../domain/discovery/schema.ts';

/** A revision can be close to a megabyte. */
const REVISIONS_AT_ONCE = 5;
/** Whoever stores a revision wakes the stream; should that be lost, it looks again after this long. */
const LOOK_AGAIN_MS = 15_000;

const input = z.strictObject({
  discoveryId,
  sinceRevision: z
    .number()
    .int()
    .min(0)
    .max(1e9)
    .default(0)
    .describe('Begin after it. Last-Event-ID means the same, and wins where both are given.'),
});

/** The revisions of a session as server-sent events (interface, Events; decisions, Discovery). */
export const discoveryEvents: StreamDefinition = {
  name: 'discovery_events',
  title: 'Follow discovery',
  example: { discoveryId: 'disc_example', sinceRevision: 0 },
  description:
    'Streams the revisions of a discovery session as server-sent events: event revision, and event complete for ' +
    'the last one. The id of an event is its revision; a stream opened late replays from sinceRevision or ' +
    'Last-Event-ID, then follows. The data is the payload of the discovery.revision event.',
  access: needs('buyer:read'),
  path: '/discovery/{discoveryId}/events',
  input,
  payload: discoveryRevision,
  resumesAfter: 'sinceRevision',
  errors: ['NOT_FOUND'],
  open: async (ctx, given) => {
    const { discoveryId: id, sinceRevision } = input.parse(given);
    const session = await reachSession(ctx, id);
    return isOver(session, sinceRevision) ? undefined : follow(ctx, id, sinceRevision);
  },
};

async function* follow(ctx: Context, id: string, since: number): AsyncIterable<Frame> {
  const { services } = ctx;
  const stop = AbortSignal.any([ctx.signal, services.stopping]);
  const landings = services.ports.wake.listen(discoveryTopic(id));
  let revision = since;
  try {
    while (!stop.aborted) {
      const rows = await listRevisionsAfter(ctx.db, ctx.scope, { id, revision, limit: REVISIONS_AT_ONCE });
      for (const row of rows) {
        revision = row.revision;
        yield asFrame(row);
      }
      if (rows.length > 0) continue;
      const session = await findSession(ctx.db, ctx.scope, id);
      if (session === undefined || isOver(session, revision)) return;
      await landings.next(LOOK_AGAIN_MS, stop);
    }
  } finally {
    landings.close();
  }
}

function asFrame({ complete, revision, payload }: DiscoveryRevisionRow): Frame {
  return { event: complete === 1 ? 'complete' : 'revision', id: String(revision), data: payload };
}

/** Nothing follows the final revision. */
function isOver(session: DiscoverySessionRow, revision: number): boolean {
  return session.status === 'complete' && session.revision <= revision;
}
