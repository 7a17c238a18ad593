import type { Scope } from '../../../store/engine/scope.ts';
import { isAfter, type Place } from '../../../store/events.ts';
import type { Context, Services } from '../../core/context.ts';
import type { Frame } from '../../core/streams.ts';
import { type Placed, storedAfter, tailOf } from './tail.ts';

interface Following {
  /** After this. */
  readonly begin: Place;
  /** The end of the stream when it was asked for. */
  readonly end: Place;
}

/** The events that the caller may see after a place, and then as they come, until the caller or the process goes. */
export async function* followEvents(ctx: Context, { begin, end }: Following): AsyncIterable<Frame> {
  const { services, signal } = ctx;
  const tail = tailOf(services, ctx.scope, end);
  const follower = tail.follow(signal);
  let after = begin;
  try {
    while (!signal.aborted && !tail.isOver) {
      const kept = tail.after(after);
      for await (const { at, frame } of passedBy(ctx, { kept, after, end: tail.end })) {
        after = at;
        if (frame !== undefined) yield frame;
      }
      if (kept?.length === 0) await follower.next();
    }
    tail.requireWell();
  } finally {
    follower.leave();
  }
}

/** A place that was come past, and what stood there for this reader. */
type Passed = Pick<Placed, 'at'> & Partial<Pick<Placed, 'frame'>>;

interface Way {
  /** What the tail keeps of it, where it keeps all. */
  readonly kept: readonly Placed[] | undefined;
  readonly after: Place;
  readonly end: Place;
}

/** Each follower takes what its grants reach by now; what is kept no more it reads for itself. */
function passedBy({ scope, services }: Context, { kept, after, end }: Way) {
  const { advertiserIds } = scope;
  if (kept === undefined) return caughtUp(services, scope, { after, end });
  return kept.map(
    (placed): Passed =>
      advertiserIds === null || advertiserIds.includes(placed.advertiserId) ? placed : { at: placed.at },
  );
}

/** Comes as far as the tail had come, whatever of that was for this reader. */
async function* caughtUp(
  services: Services,
  scope: Scope,
  { after, end }: Omit<Way, 'kept'>,
): AsyncIterable<Passed> {
  let at = after;
  for await (const placed of storedAfter(services, scope, after)) {
    at = placed.at;
    yield placed;
  }
  if (isAfter(end, at)) yield { at: end };
}
