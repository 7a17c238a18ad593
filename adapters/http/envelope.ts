import type { ServerResponse } from 'node:http';
import type { Answer } from '../../tools/core/call-context.ts';
import type { Rest } from '../../tools/core/define.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { closeSoon, leavesUnread } from './unread-body.ts';
import type { Visit } from './visit.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What a success says, as it stands in its body. */
export function successData({ shows }: Rest, { output }: Answer): string {
  return JSON.stringify(shows === undefined ? output : shows.from(output));
}

/** The body of a success: `data`, `error: null`, and `meta.pagination` around an offset-paged list. */
export function successBody(rest: Rest, answer: Answer, data = successData(rest, answer)): string {
  const meta =
    rest.list === undefined ? '' : `,"meta":${JSON.stringify({ pagination: pagination(rest.list, answer) })}`;
  return `{"data":${data},"error":null${meta}}`;
}

/**
 * Interface, Pagination: `hasMore` is true when skip plus returned rows is below total. A list that was gone on
 * with by a cursor passed over nothing, and says itself whether more follow.
 */
function pagination(list: string, { input, output }: Answer) {
  const skip = Number(input['skip'] ?? 0);
  const rows = output[list];
  const shown = Array.isArray(rows) ? rows.length : 0;
  const total = Number(output['total'] ?? shown);
  const says = input['cursor'] === undefined ? undefined : output['hasMore'];
  const hasMore = typeof says === 'boolean' ? says : skip + shown < total;
  return { skip, take: Number(input['take'] ?? total), total, hasMore };
}

/** The body of a failure. What to do next travels in `details.suggestion`. */
export function failureBody(error: AppError): string {
  const details =
    error.suggestion === undefined ? error.details : { ...error.details, suggestion: error.suggestion };
  return JSON.stringify({
    data: null,
    error: { code: error.code, message: error.message, field: error.field, details },
  });
}

/** What an answer says: text, text that is known to be ASCII, or bytes. */
export type Body = string | { readonly ascii: string } | Buffer;

/** Sends JSON with the headers of the visit. A HEAD request gets the headers of its GET and no body. */
export function sendJson(visit: Visit, status: number, body: Body): void {
  const isAscii = typeof body === 'object' && 'ascii' in body;
  const content = isAscii ? body.ascii : body;
  // Known beforehand, it spares a long text being looked through.
  const length = isAscii ? content.length : Buffer.byteLength(content);
  visit.writeHead(status, 'Content-Type', JSON_TYPE, 'Content-Length', String(length));
  if (visit.req.method === 'HEAD') visit.res.end();
  else if (leavesUnread(visit.req)) endAndClose(visit, content);
  // One byte a character is ASCII, which leaves as it is: encoding it as UTF-8 would take its time.
  else endWith(visit.res, content, length === content.length ? 'latin1' : 'utf8');
}

/**
 * Head and body in one piece: `end` with a body sends an empty piece after it, and the system would have to
 * gather the two.
 */
function endWith(res: ServerResponse, body: string | Buffer, encoding: BufferEncoding): void {
  const { socket } = res;
  // An answer that waits behind another one on its connection has no socket yet.
  if (socket === null) {
    res.end(body, encoding);
    return;
  }
  socket.cork();
  res.write(body, encoding);
  socket.uncork();
  res.end();
}

/** The answer to a request that is not read on: Node, told that it is at its end, would close before it is read. */
function endAndClose({ req, res }: Visit, body: string | Buffer): void {
  res.write(body);
  if (res.socket === null) res.end();
  else closeSoon(req.socket);
}

/** The failure of a visit whose answer may have begun: then it is cut off, which says that it is not whole. */
export function failOrCut(visit: Visit, error: AppError): void {
  if (visit.res.headersSent) visit.res.destroy();
  else sendFailure(visit, error);
}

export function sendFailure(visit: Visit, error: AppError): void {
  const challenge = challengeFor(visit, error);
  if (challenge !== undefined) visit.addHeader('WWW-Authenticate', challenge);
  if (error.retryAfter !== undefined) visit.addHeader('Retry-After', String(error.retryAfter));
  sendJson(visit, error.status, failureBody(error));
}

/** RFC 6750, section 3: without a credential the challenge names no error. */
function challengeFor(visit: Visit, error: AppError): string | undefined {
  const missing = error.status === 403 ? error.details?.['scope'] : undefined;
  if (error.status !== 401 && typeof missing !== 'string') return undefined;
  const { metadata, scope } = visit.challenge?.() ?? {};
  const named = [scope, missing].filter((part) => typeof part === 'string').join(' ');
  const parts = {
    realm: 'api',
    ...errorOf(visit, error),
    ...(named === '' ? {} : { scope: named }),
    ...(metadata === undefined ? {} : { resource_metadata: metadata }),
  };
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}

function errorOf(visit: Visit, { status, message }: AppError): Readonly<Record<string, string>> {
  if (status === 401 && visit.req.headers.authorization === undefined) return {};
  return {
    error: status === 403 ? 'insufficient_scope' : 'invalid_token',
    error_description: message.replace(/["\\“”’]/g, ''),
  };
}
