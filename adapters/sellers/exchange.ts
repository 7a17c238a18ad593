import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { EventStreamError, eventReader } from './event-messages.ts';
import { connectionFailed, TooLargeError, unpackingOf } from './requests.ts';

/** An address that may be called, and the connections there. */
export interface Target {
  readonly connections: Connections;
  readonly origin: string;
  readonly path: string;
  /** Bytes of an answer that are taken, unpacked. */
  readonly maxBytes: number;
}

interface Sent<T> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Cuts the exchange off; its reason is what the exchange fails with. */
  readonly signal: AbortSignal;
  /** What the text of an event comes to; undefined for one that is not what is waited for. */
  accept(text: string): T | undefined;
  /** The same for a text that takes too long to be read at once. */
  acceptLarge(text: string): Promise<T | undefined>;
}

/** What came back: of a stream of events the one that was waited for, of anything else the whole body. */
export interface Received<T> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly event?: T;
}

/** What is smaller is read at once: it takes less time than to hand it over. Bytes. */
export const SMALL = 65_536;

/** What follows an answer is read for so long and so far, in bytes: its connection serves the next call then. */
const REST_MS = 1_000;
const REST_BYTES = 65_536;

/**
 * Posts to a seller, and resolves as soon as the answer is there. Redirects are not followed. Without streams and
 * without what fetch does for pages: a session asks hundreds of sellers, and that is most of what each would cost.
 */
export function post<T>(target: Target, sent: Sent<T>): Promise<Received<T>> {
  const { connections, origin, path } = target;
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(target.maxBytes, sent, { resolve, reject });
    if (sent.signal.aborted) return;
    const { headers, body } = sent;
    connections.dispatch({ origin, path, method: 'POST', headers, body }, exchange);
  });
}

interface Waiting<T> {
  resolve(received: Received<T>): void;
  reject(error: unknown): void;
}

class Exchange<T> implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #sent: Sent<T>;
  readonly #waiting: Waiting<T>;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #unpacking: Transform | undefined;
  /** Reads events, where the body is a stream of them. */
  #events: ReturnType<typeof eventReader> | undefined;
  #heard: Promise<void> = Promise.resolve();
  #parts: Buffer[] = [];
  #size = 0;
  /** Bytes at which what follows the answer is cut. */
  #cutAt: number | undefined;
  #stopWaiting = () => {};
  #isSettled = false;

  constructor(maxBytes: number, sent: Sent<T>, waiting: Waiting<T>) {
    this.#maxBytes = maxBytes;
    this.#sent = sent;
    this.#waiting = waiting;
    if (sent.signal.aborted) this.#callOff();
    else sent.signal.addEventListener('abort', this.#callOff, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) this.#cut();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (isFine(status) && isEventStream(headers)) this.#events = eventReader();
    const unpack = unpackingOf(headers['content-encoding']);
    if (unpack === undefined) return;
    this.#unpacking = unpack()
      .on('data', (part: Buffer) => this.#take(part))
      .on('end', () => this.#end())
      .on('error', (error) => this.#fail(connectionFailed(error)));
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    if (this.#unpacking === undefined) this.#take(part);
    else this.#unpacking.write(part);
  }

  onResponseEnd(): void {
    this.#stopWaiting();
    if (this.#unpacking === undefined) this.#end();
    else this.#unpacking.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stopWaiting();
    this.#fail(connectionFailed(error));
  }

  #take(part: Buffer): void {
    this.#size += part.byteLength;
    if (this.#size > (this.#cutAt ?? this.#maxBytes)) this.#fail(new TooLargeError(this.#maxBytes));
    if (this.#isSettled) return;
    if (this.#events === undefined) this.#parts.push(part);
    else this.#hear(this.#events, part);
  }

  #hear(events: ReturnType<typeof eventReader>, part: Buffer): void {
    try {
      for (const text of events.read(part)) {
        if (text.length <= SMALL) this.#found(this.#sent.accept(text));
        else this.#heard = this.#heard.then(() => this.#hearLarge(text));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** One after the other: a seller that sends much waits for itself. */
  async #hearLarge(text: string): Promise<void> {
    if (this.#isSettled) return;
    try {
      this.#found(await this.#sent.acceptLarge(text));
    } catch (error) {
      this.#fail(error);
    }
  }

  #found(event: T | undefined): void {
    if (event === undefined || this.#isSettled) return;
    this.#settle();
    this.#waiting.resolve({ status: this.#status, headers: this.#headers, body: NOTHING, event });
    this.#cutAt = Math.min(this.#maxBytes, this.#size + REST_BYTES);
    const timer = setTimeout(() => this.#cut(), REST_MS).unref();
    this.#stopWaiting = () => clearTimeout(timer);
  }

  #end(): void {
    if (this.#isSettled) return;
    if (this.#events !== undefined) {
      void this.#heard
        .then(() => this.#fail(new EventStreamError('The stream ended before the answer.')))
        .catch((error: unknown) => this.#fail(error));
      return;
    }
    this.#settle();
    const body = this.#parts.length === 1 ? (this.#parts[0] ?? NOTHING) : Buffer.concat(this.#parts);
    this.#waiting.resolve({ status: this.#status, headers: this.#headers, body });
  }

  readonly #callOff = () => this.#fail(this.#sent.signal.reason);

  #fail(error: unknown): void {
    if (!this.#isSettled) {
      this.#settle();
      this.#waiting.reject(error);
    }
    this.#cut();
  }

  #settle(): void {
    this.#isSettled = true;
    this.#sent.signal.removeEventListener('abort', this.#callOff);
  }

  #cut(): void {
    this.#stopWaiting();
    this.#unpacking?.destroy();
    if (this.#controller?.aborted === false) this.#controller.abort(OVER);
  }
}

const NOTHING = Buffer.alloc(0);

/** Why a connection is cut. Made once: an error of its own for each would be what costs most of it. */
const OVER = new Error('The exchange is over.');

export function isFine(status: number): boolean {
  return status >= 200 && status < 300;
}

function isEventStream(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.toLowerCase().startsWith('text/event-stream') ?? false;
}
