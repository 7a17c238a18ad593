import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError } from '../../tools/core/errors/app-error.ts';

/**
 * Sends what the official server answers, until it is told to end. The head leaves at once, because an answer of
 * events may have nothing to say for long; and when the reader goes, whoever makes the body hears of it at once:
 * a session has one event stream, and the place of one that nobody reads must not be kept.
 */
export async function sendWeb(
  res: ServerResponse,
  { status, headers, body }: Response,
  until?: AbortSignal,
): Promise<void> {
  res.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    res.end();
    return;
  }
  if (headers.get('content-type')?.startsWith('text/event-stream')) res.flushHeaders();
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  res.once('close', leave);
  until?.addEventListener('abort', leave);
  if (res.destroyed || until?.aborted) leave();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!res.write(next.value)) await isTaken(res);
  }
  until?.removeEventListener('abort', leave);
  if (until?.reason instanceof AppError) res.write(`: ended: ${until.reason.message}\n\n`);
  res.end();
}

/** Waits until the reader has taken what was written, or is gone. */
async function isTaken(res: ServerResponse): Promise<void> {
  if (res.destroyed) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).catch(() => {});
  over.abort();
}

/** The same answer, with word of its end: it was read, or its reader went. */
export function afterwards(response: Response, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const passing = new TransformStream<Uint8Array, Uint8Array>();
  response.body.pipeTo(passing.writable).then(end, end);
  return new Response(passing.readable, response);
}
