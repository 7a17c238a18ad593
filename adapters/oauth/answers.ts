import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import type { RefusalStatus } from '../../tools/core/errors/catalogue.ts';
import type { App } from '../http/app.ts';

/** A request at an address of OAuth, and its answer. */
export interface Asked {
  readonly app: App;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Why a request is refused, in the shape of RFC 6749, section 5.2. */
export class OAuthError extends Error {
  readonly status: RefusalStatus;
  readonly error: string;

  constructor(error: string, message: string, status: RefusalStatus = 400) {
    super(message);
    this.name = 'OAuthError';
    this.error = error;
    this.status = status;
  }
}

/** Sends JSON that nobody keeps. */
export function sendOAuth({ res }: Asked, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    Pragma: 'no-cache',
  });
  res.end(text);
}

/** What was thrown, in the shape of RFC 6749. */
export function sendOAuthError(asked: Asked, thrown: OAuthError | AppError): void {
  const { res } = asked;
  if (thrown instanceof OAuthError) {
    sendOAuth(asked, thrown.status, { error: thrown.error, error_description: thrown.message });
    return;
  }
  if (thrown.retryAfter !== undefined) res.setHeader('Retry-After', String(thrown.retryAfter));
  const text = thrown.suggestion === undefined ? thrown.message : `${thrown.message} ${thrown.suggestion}`;
  sendOAuth(asked, thrown.status, { error: wordFor(thrown.status), error_description: text });
}

function wordFor(status: number): string {
  if (status === 429) return 'slow_down';
  if (status >= 500) return status === 503 ? 'temporarily_unavailable' : 'server_error';
  return 'invalid_request';
}
