import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Caller, Log } from '../../tools/core/context.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { type Trace, traceIn } from '../../tools/core/traces.ts';
import { clientIp } from './client-ip.ts';
import type { Quota } from './fixed-windows.ts';
import { keepAliveHint } from './keep-alive.ts';
import { type Overload, workOf } from './overload.ts';
import { type Counted, quotaHeaders } from './rate-limit.ts';
import type { Challenge } from './token-places.ts';
import { leavesUnread } from './unread-body.ts';
import type { Watch } from './watch.ts';

const CLOSE = ['Connection', 'close'] as const;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that the caller gave the request, where a log can hold it; a new one otherwise. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Sets headers that come as names and values in turn, for an answer that somebody else will send. */
export function setPairs(res: ServerResponse, pairs: readonly string[]): void {
  for (let index = 0; index < pairs.length; index += 2)
    res.setHeader(pairs[index] ?? '', pairs[index + 1] ?? '');
}

/** Who comes with a credential of a kind that goes is told so (RFC 9745; RFC 8594 for when it ends). */
function deprecation(caller: Caller | null): string[] {
  const { since, until } = caller?.deprecated ?? {};
  if (since === undefined) return [];
  const sunset = until === undefined ? [] : ['Sunset', new Date(until).toUTCString()];
  return ['Deprecation', `@${Math.floor(since / 1_000)}`, ...sunset];
}

/** One request on its way through an adapter: what every adapter knows of it, and what it logs at the end. */
export class Visit implements Counted {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly ip: string;
  quota: Quota | undefined;
  caller: Caller | null = null;
  /** What was called: a route or a tool, never a URL with its values. */
  target = '';
  readonly #startedAt = performance.now();
  #abort: AbortController | undefined;
  readonly #own: string[] = [];
  /** Where a token for this address is had; undefined where none is needed. */
  challenge: (() => Challenge) | undefined;
  /** Looks after the caller while the answer is waited for. */
  watch: Watch | undefined;
  /** Keeps work that costs much away while there is too much of it. */
  overload: Overload | undefined;
  /** The first refusal of a caller that was let in. */
  #endedBy: AppError | undefined;
  /** The ways to leave the watch. */
  readonly #leaving: (() => void)[] = [];

  constructor(req: IncomingMessage, res: ServerResponse, trusted: BlockList | undefined) {
    this.req = req;
    this.res = res;
    this.requestId = requestIdOf(req);
    this.ip = clientIp(req, trusted);
  }

  /** The headers that any answer of ours carries, and these; names and values in turn. */
  headers(...more: string[]): string[] {
    return [
      'X-Request-Id',
      this.requestId,
      'X-Content-Type-Options',
      'nosniff',
      'Cache-Control',
      'no-store',
      ...(this.quota === undefined ? [] : quotaHeaders(this.quota)),
      ...(leavesUnread(this.req) ? CLOSE : keepAliveHint(this.res)),
      ...deprecation(this.caller),
      ...this.#own,
      ...more,
    ];
  }

  /** Sends the status, the headers of any answer, and these. */
  writeHead(status: number, ...more: string[]): void {
    const { res } = this;
    const list = this.headers(...more);
    if (res.writeHead === ServerResponse.prototype.writeHead) {
      res.writeHead(status, list);
    } else {
      // Middleware around us that waits for this moment may not know headers as a list.
      setPairs(res, list);
      res.writeHead(status);
    }
  }

  /** Adds a header to the answer. */
  addHeader(name: string, value: string): void {
    this.#own.push(name, value);
  }

  /** Read when somebody asks for it: most come with none. */
  get trace(): Trace | undefined {
    return traceIn(this.req.headers['traceparent']);
  }

  /** Takes a place for a call that costs much, until its answer is over. */
  makeRoom(tool: Parameters<typeof workOf>[0]): void {
    const work = workOf(tool);
    if (work === undefined || this.overload === undefined) return;
    this.res.once('close', this.overload.enter(work, this.caller?.organizationId ?? this.ip));
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

  /** Why a caller that was let in may not go on. */
  get endedBy(): AppError | undefined {
    return this.#endedBy;
  }

  /**
   * Has the caller asked about again until the answer is over; aborted with the refusal. Calls that share an answer
   * have one question each, and what refuses one of them need not refuse another.
   */
  attend(askAgain: (caller: Caller) => Promise<void>): AbortSignal {
    const ended = new AbortController();
    const { caller, watch, req, res } = this;
    if (caller === null || watch === undefined || res.destroyed) return ended.signal;
    const end = (why: AppError) => {
      this.#endedBy ??= why;
      ended.abort(why);
    };
    const leave = watch.over({ shown: req, caller, askAgain, end });
    // A batch may have as many calls as it has messages.
    if (this.#leaving.length === 0) res.once('close', () => this.#leaveAll());
    this.#leaving.push(leave);
    return ended.signal;
  }

  #leaveAll(): void {
    for (const leave of this.#leaving.splice(0)) leave();
  }

  log(log: Log, status: number): void {
    log.request({
      requestId: this.requestId,
      method: this.req.method ?? '',
      target: this.target,
      status,
      ms: Math.round((performance.now() - this.#startedAt) * 10) / 10,
      ip: this.ip,
      organizationId: this.caller?.organizationId,
      principal: this.caller?.principal,
      traceId: this.trace?.id,
    });
  }
}
