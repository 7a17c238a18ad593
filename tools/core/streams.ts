import type { z } from 'zod';
import type { Access } from './access.ts';
import type { Context } from './context.ts';
import type { OfFamily } from './define.ts';
import type { ErrorCode } from './errors/catalogue.ts';

/** A stream of events: reached over REST alone, through the same gates as a tool. */
export interface StreamDefinition {
  readonly name: string;
  readonly title: string;
  /** Input that works as it stands, but for the ids in it. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly description: string;
  readonly access: Access;
  readonly path: string;
  readonly input: z.ZodObject;
  /** What the data of each event is. */
  readonly payload: z.ZodObject;
  /** The input field that says after which event to begin: `Last-Event-ID` fills it too. */
  readonly resumesAfter: string;
  readonly errors: readonly ErrorCode[];
  /**
   * Resolves once the caller may listen; the frames follow until they end or the signal says stop. Undefined
   * when the caller has the last frame and none will ever follow: REST then answers 204, because a browser's
   * EventSource takes any other end, an empty 200 too, for a broken connection and comes back for ever (WHATWG
   * HTML, server-sent events).
   */
  open(ctx: Context, input: Readonly<Record<string, unknown>>): Promise<AsyncIterable<Frame> | undefined>;
}

export type Stream = StreamDefinition & OfFamily;

/** One server-sent event. */
export interface Frame {
  readonly event: string;
  readonly id: string;
  /** One line of JSON. */
  readonly data: string;
}

/** A stream that was let in. */
export interface Opened {
  readonly frames: AsyncIterable<Frame>;
  /** Aborted when the reader goes, or may not go on. */
  readonly signal: AbortSignal;
}
