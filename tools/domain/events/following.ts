import { isAfter, type Place } from '../../../store/events.ts';
import type { Context } from '../../core/context.ts';
import type { Frame } from '../../core/streams.ts';
import { maySee, type Placed, storedAfter, tailOf } from './tail.ts';

interface Following {
  /** After this. */
  readonly begin: Place;
  /** The end of the stream when it was asked for. */
  readonly end: Place;
}

/** The events that the caller may see after a place, and then as they come, until the caller or the process goes. */
export async function* followEvents(ctx: Context, { begin, end }: Following): AsyncIterable<Frame> {
  const tail = tailOf(ctx.services, ctx.scope, end);
  const follower = tail.follow(ctx.signal);
  const next = () => follower.next();
  try {
    for await (const passed of passing(ctx, { tail, begin, next })) {
      // Each follower takes what its grants reach by now.
      if (passed.frame !== undefined && maySee(ctx, passed)) yield passed.frame;
    }
    tail.requireWell();
  } finally {
    follower.leave();
  }
}

/** An event, or a place that was come past where none stands that could be for this reader. */
type Passed = Placed | { readonly at: Place; readonly frame?: undefined };

interface Way extends Pick<Following, 'begin'> {
  readonly tail: ReturnType<typeof tailOf>;
  next(): Promise<void>;
}

async function* passing(ctx: Context, { tail, begin, next }: Way): AsyncIterable<Passed> {
  let after = begin;
  while (!ctx.signal.aborted && !tail.isOver) {
    const kept = tail.after(after);
    for await (const passed of kept ?? caughtUp(ctx, after, tail.end)) {
      after = passed.at;
      yield passed;
    }
    if (kept?.length === 0) await next();
  }
}

/** What the tail keeps no more a follower reads for itself: as far as that had come, whatever of it was for it. */
async function* caughtUp(ctx: Context, after: Place, end: Place): AsyncIterable<Passed> {
  let at = after;
  for await (const placed of storedAfter(ctx, after)) {
    at = placed.at;
    yield placed;
  }
  if (isAfter(end, at)) yield { at: end };
}
