import { z } from 'zod';
import { findPlace, lastPlace, listEventsAfter, type Place, STREAM_BEGIN } from '../../../store/events.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import type { Frame, StreamDefinition } from '../../core/streams.ts';
import { accountEvent } from '../../domain/events/catalogue.ts';
import { followEvents } from '../../domain/events/following.ts';
import { maySee, placeAll, storedAfter } from '../../domain/events/tail.ts';

const EVENT_ID = /^[\w.:-]{1,255}$/;

const input = z.strictObject({
  after: z
    .string()
    .regex(EVENT_ID, 'Give the id of an event, such as evt_cmp_….2.campaign.updated.')
    .optional()
    .describe(
      'Id of an event: begin after it, or with the oldest that is kept where it is kept no more. Last-Event-ID ' +
        'means the same, and wins where both are given. Without it, with what happens from now on.',
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
    const { services, scope } = ctx;
    await placeAll(services, scope);
    const end = await lastPlace(ctx.db, scope);
    const begin = after === undefined ? undefined : await placeOf(ctx, after);
    if (!follow) return kept(ctx, begin ?? STREAM_BEGIN);
    return followEvents(ctx, { begin: begin ?? end, end });
  },
};

/** What is there, and nothing that comes later. Undefined where there is nothing. */
async function kept(ctx: Context, begin: Place): Promise<AsyncIterable<Frame> | undefined> {
  const [first] = await listEventsAfter(ctx.db, ctx.scope, { after: begin, limit: 1 });
  return first === undefined ? undefined : framesAfter(ctx, begin);
}

async function* framesAfter(ctx: Context, begin: Place): AsyncIterable<Frame> {
  for await (const placed of storedAfter(ctx, begin)) {
    if (maySee(ctx, placed)) yield placed.frame;
  }
}

/** All that is kept came after an event that is kept no more. */
async function placeOf({ db, scope }: Context, id: string): Promise<Place> {
  return (await findPlace(db, scope, id)) ?? STREAM_BEGIN;
}
