import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { badRequest, unreadable } from '../../tools/core/errors/refusals.ts';
import { failureBody } from '../http/envelope.ts';
import { timesSent } from '../http/raw-headers.ts';
import { closeSoon } from '../http/unread-body.ts';
import type { Connections } from './connections.ts';

const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** What is wrong with the head of a request that Node lets pass; another server on its way may read it otherwise. */
export function faultOf(req: IncomingMessage, headersMax: number): AppError | undefined {
  const { httpVersion, headers, rawHeaders } = req;
  if (!VERSIONS.has(httpVersion)) return badRequest('The request must be HTTP/1.1 or HTTP/1.0.');
  // Names and values in turn.
  if (rawHeaders.length > 2 * headersMax) return unreadable('HPE_HEADER_OVERFLOW');
  if (headers.host === undefined) {
    if (httpVersion === '1.1') return badRequest('The request names no Host.');
  } else if (timesSent(rawHeaders, 'host') > 1) {
    return badRequest('The request names more than one Host.');
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return badRequest('The body must come chunked or with a Content-Length, and in no other coding.');
  }
  return undefined;
}

const NO_PROXY = 'This service is no proxy: CONNECT is not taken.';

/** CONNECT asks for a tunnel, and hands over a connection instead of a request. */
export function refuseTunnel(socket: Socket): void {
  refuse(socket, badRequest(NO_PROXY, { suggestion: 'Ask the addresses of this service themselves.' }));
}

const refused = new WeakSet<Socket>();

/** What is not HTTP gets an answer in the envelope all the same: one, and behind those that are still due. */
export function refuseGarbage(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { stateOf }: Pick<Connections, 'stateOf'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) return;
  refused.add(socket);
  const { lastToWhole, isAnsweredEarly } = stateOf(socket);
  if (isAnsweredEarly) closeSoon(socket);
  // Whoever reads a body that broke off would wait for the rest of it for ever.
  else if (lastToWhole === undefined) refuse(socket, unreadable(error.code));
  else lastToWhole.once('finish', () => refuse(socket, unreadable(error.code)));
}

function refuse(socket: Socket, refusal: AppError): void {
  if (!socket.writable) return;
  const body = failureBody(refusal);
  socket.write(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  closeSoon(socket);
}
