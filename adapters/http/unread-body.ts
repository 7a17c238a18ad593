import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A body that is no longer than this is read on after its answer, so that its connection can be used again. */
const READ_ON_MAX_BYTES = 65_536;
/** How long a connection stays open behind an answer that came before its request was whole. */
const LINGER_MS = 1_000;

const abandoned = new WeakSet<IncomingMessage>();

export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return (length !== undefined && length !== '0') || req.headers['transfer-encoding'] !== undefined;
}

/** A body whose end nobody knows, or is far away. */
export function isLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > READ_ON_MAX_BYTES
  );
}

/** Reads no more of a body that is refused while it comes. */
export function abandon(req: IncomingMessage): void {
  req.removeAllListeners('data').pause();
  abandoned.add(req);
}

/** Whether this answer leaves so much of its request unread that the connection cannot go on behind it. */
export function leavesUnread(req: IncomingMessage): boolean {
  return abandoned.has(req) || (!req.complete && isLong(req));
}

/**
 * Closes a connection whose answer is written: takes nothing more from it, and gives its caller a moment to
 * read. To close it at once would cut the answer off on its way, for the system resets a connection with
 * unread bytes.
 */
export function closeSoon(socket: Socket): void {
  socket.end();
  // What Node begins at the end of an answer, to read the rest of its request, comes before.
  setImmediate(() => socket.pause());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
