import type { Frame } from '../../tools/define.ts';
import type { Clock } from '../../tools/ports.ts';
import type { Visit } from './visit.ts';

const HEARTBEAT_MS = 15_000;
/** A reader that leaves this much unread is let go; it comes back with Last-Event-ID. */
const UNREAD_MAX_BYTES = 1_048_576;

/** Sends frames as server-sent events until they end, the reader goes, or it reads too slowly. */
export async function sendEvents(visit: Visit, frames: AsyncIterable<Frame>, clock: Clock): Promise<void> {
  const { res } = visit;
  res.writeHead(200, {
    ...visit.headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
  });
  if (visit.req.method === 'HEAD') {
    res.end();
    return;
  }
  res.flushHeaders();
  const stopHeartbeat = beat(clock, () => res.write(': still here\n\n'));
  try {
    for await (const frame of frames) {
      res.write(`event: ${frame.event}\nid: ${frame.id}\ndata: ${frame.data}\n\n`);
      if (res.writableLength > UNREAD_MAX_BYTES) {
        res.destroy();
        return;
      }
    }
    res.end();
  } finally {
    stopHeartbeat();
  }
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
