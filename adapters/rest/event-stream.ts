import type { ServerResponse } from 'node:http';
import type { Clock } from '../../tools/core/ports.ts';
import type { Frame, Opened } from '../../tools/core/streams.ts';
import { failureBody } from '../http/envelope.ts';
import type { Visit } from '../http/visit.ts';

const HEARTBEAT_MS = 15_000;
/** A reader that takes longer over what was sent is let go; it comes back with Last-Event-ID. */
const UNREAD_MAX_MS = 30_000;

/** Tells a reader that nothing will ever follow, so that it does not come back. */
export function sendNothing(visit: Visit): void {
  visit.writeHead(204);
  visit.res.end();
}

/** What many readers are sent is turned into bytes once. */
const bytes = new WeakMap<Frame, Buffer>();

function bytesOf(frame: Frame): Buffer {
  const made =
    bytes.get(frame) ?? Buffer.from(`event: ${frame.event}\nid: ${frame.id}\ndata: ${frame.data}\n\n`);
  bytes.set(frame, made);
  return made;
}

/**
 * Sends frames as server-sent events until they end, the reader goes or may not go on, or it reads too slowly. After
 * a reader may not go on it is sent nothing but why, whatever was read for it before.
 */
export async function sendEvents(visit: Visit, { frames, signal }: Opened, clock: Clock): Promise<void> {
  const { res } = visit;
  visit.writeHead(200, 'Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no');
  if (visit.req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  const stopHeartbeat = beat(clock, () => res.write(': still here\n\n'));
  try {
    for await (const frame of frames) {
      if (signal.aborted) break;
      if (res.write(bytesOf(frame)) || (await isRead(res, clock, signal))) continue;
      res.destroy();
      return;
    }
    // Without an id, so that a reader that may come back begins where it was.
    if (visit.endedBy !== undefined) res.write(`event: error\ndata: ${failureBody(visit.endedBy)}\n\n`);
    res.end();
  } finally {
    stopHeartbeat();
  }
}

/**
 * Waits until the reader has taken what was written, so that no more than one frame lies here unread, or may not go
 * on, which is not its fault either.
 */
function isRead(res: ServerResponse, clock: Clock, signal: AbortSignal): Promise<boolean> {
  if (res.destroyed) return Promise.resolve(false);
  if (signal.aborted) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (read: boolean) => {
      cancel();
      res.off('drain', goOn).off('close', closed);
      signal.removeEventListener('abort', ended);
      resolve(read);
    };
    const goOn = () => end(true);
    const closed = () => end(false);
    // It is aborted too when the reader goes.
    const ended = () => end(!res.destroyed);
    const cancel = clock.after(UNREAD_MAX_MS, closed);
    res.on('drain', goOn).on('close', closed);
    signal.addEventListener('abort', ended, { once: true });
  });
}

function beat(clock: Clock, say: () => void): () => void {
  let stop = () => {};
  const again = () => {
    stop = clock.after(HEARTBEAT_MS, () => {
      say();
      again();
    });
  };
  again();
  return () => stop();
}
