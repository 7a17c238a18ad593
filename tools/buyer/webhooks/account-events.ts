import { z } from 'zod';
import {
  type AccountEventRow,
  hasUnplaced,
  lastPlace,
  listEventsAfter,
  type Place,
  placeEvents,
  STREAM_BEGIN,
} from '../../../store/events.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import type { Frame, StreamDefinition } from '../../core/streams.ts';
import { accountEvent } from '../../domain/events/catalogue.ts';
import { eventsTopic } from '../../domain/events/telling.ts';

const EVENTS_AT_ONCE = 100;
/** Whoever stores an event wakes the stream; should that be lost, it looks again after this long. */
const LOOK_AGAIN_MS = 15_000;
const PLACE = /^(\d{1,15})-(\d{1,15})$/;

const input = z.strictObject({
  after: z
    .string()
    .regex(PLACE, 'Give the id of an event of this stream, such as 12-345.')
    .optional()
    .describe(
      'Begin after this event. Last-Event-ID means the same. Without it, with what happens from now on.',
    ),
  follow: z
    .boolean()
    .default(true)
    .describe('False: gives what is there after that event, or all that is kept, and ends.'),
});

/** What happens to the campaigns and media buys of an account, as server-sent events. */
export const accountEvents: StreamDefinition = {
  name: 'account_events',
  title: 'Follow events',
  example: { follow: false },
  description:
    'Streams what happens to the campaigns and media buys of your account as server-sent events: ' +
    'campaign.updated, media_buy.updated, media_buy.delivery and approval.needed. A stream that was interrupted ' +
    'goes on after its last event with Last-Event-ID; follow false gives what is kept, 30 days unless the ' +
    'operator says otherwise, and ends. The data are the bytes that webhooks send. With grants only the events of ' +
    'those advertisers.',
  access: needs('buyer:read'),
  path: '/events',
  input,
  payload: accountEvent,
  resumesAfter: 'after',
  errors: [],
  open: async (ctx, given) => {
    const { after, follow } = input.parse(given);
    if (!follow) return kept(ctx, after === undefined ? STREAM_BEGIN : placeOf(after));
    await placeAll(ctx);
    const begin = after === undefined ? await lastPlace(ctx.db, ctx.scope) : placeOf(after);
    return following(ctx, begin);
  },
};

/** What is there, and nothing that comes later. Undefined where there is nothing. */
async function kept(ctx: Context, begin: Place): Promise<AsyncIterable<Frame> | undefined> {
  await placeAll(ctx);
  const [first] = await listEventsAfter(ctx.db, ctx.scope, { after: begin, limit: 1 });
  return first === undefined ? undefined : pagesAfter(ctx, begin);
}

async function* following(ctx: Context, begin: Place): AsyncIterable<Frame> {
  const { services } = ctx;
  const stop = AbortSignal.any([ctx.signal, services.stopping]);
  const news = services.ports.wake.listen(eventsTopic(ctx.scope));
  let after = begin;
  try {
    while (!stop.aborted) {
      await placeAll(ctx);
      for await (const frame of pagesAfter(ctx, after)) {
        after = placeOf(frame.id);
        yield frame;
      }
      await news.next(LOOK_AGAIN_MS, stop);
    }
  } finally {
    news.close();
  }
}

async function* pagesAfter(ctx: Context, begin: Place): AsyncIterable<Frame> {
  let after = begin;
  for (;;) {
    const rows = await listEventsAfter(ctx.db, ctx.scope, { after, limit: EVENTS_AT_ONCE });
    for (const row of rows) {
      after = { place: row.place ?? 0, sequence: row.sequence };
      yield asFrame(row, after);
    }
    if (rows.length < EVENTS_AT_ONCE) return;
  }
}

async function placeAll({ db, scope, services }: Context): Promise<void> {
  if (await hasUnplaced(db, scope)) await services.store.transaction((tx) => placeEvents(tx, scope));
}

function asFrame({ event_type, payload }: AccountEventRow, { place, sequence }: Place): Frame {
  return { event: event_type, id: `${place}-${sequence}`, data: payload };
}

function placeOf(id: string): Place {
  const [, place, sequence] = PLACE.exec(id) ?? [];
  return { place: Number(place ?? 0), sequence: Number(sequence ?? 0) };
}
