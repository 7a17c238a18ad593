import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Caller, Log } from '../../tools/context.ts';
import { clientIp } from './client-ip.ts';
import type { Headers } from './rate-limit.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that the caller gave the request, where a log can hold it; a new one otherwise. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** One request on its way through an adapter: what every adapter knows of it, and what it logs at the end. */
export class Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly ip: string;
  /** Headers that any answer of ours carries. */
  readonly headers: Headers;
  caller: Caller | null = null;
  /** What was called: a route or a tool, never a URL with its values. */
  target = '';
  readonly #startedAt = performance.now();
  #abort: AbortController | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, trusted: BlockList | undefined) {
    this.req = req;
    this.res = res;
    this.requestId = requestIdOf(req);
    this.ip = clientIp(req, trusted);
    this.headers = {
      'X-Request-Id': this.requestId,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    };
  }

  /** Aborted when the caller goes away before the answer. Made when somebody asks for it. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      // A call may ask many sellers at once.
      setMaxListeners(0, abort.signal);
      this.#abort = abort;
      const leave = () => {
        if (!this.res.writableFinished) abort.abort();
      };
      // Who left before anybody asked is not announced again.
      if (this.res.destroyed) leave();
      else this.res.once('close', leave);
    }
    return this.#abort.signal;
  }

  log(log: Log, status: number): void {
    log.info(
      {
        requestId: this.requestId,
        method: this.req.method,
        target: this.target,
        status,
        ms: Math.round((performance.now() - this.#startedAt) * 10) / 10,
        organizationId: this.caller?.organizationId,
        principal: this.caller?.principal,
      },
      'request',
    );
  }
}
