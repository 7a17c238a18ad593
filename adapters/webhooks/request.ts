import { createHmac } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../tools/core/ports.ts';
import { boundedText } from '../../tools/domain/text.ts';
import type { SentWebhook, WebhookToSend } from '../../tools/domain/webhooks/sending.ts';
import { type AddressGuard, BlockedAddressError, literalAddress } from '../net/address-guard.ts';

const RESPONSE_MAX_BYTES = 16_384;
/** How long a receiver may take for the rest of its answer, once the status is there: it takes a place until then. */
const BODY_WAIT_MS = 1_000;
const TLS_MIN = 'TLSv1.2';
/** Of an answer so many characters are kept, for whoever looks into the log of deliveries. */
const ANSWER_MAX = 500;
const USER_AGENT = 'Rialto-Webhooks/1';

export interface WebhookOptions {
  readonly guard: AddressGuard;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** Interface, Delivery of events: lowercase hex HMAC-SHA256 of the raw body, no prefix. */
export function signature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('hex');
}

/**
 * Sends a webhook once: plain HTTPS, no redirect, no kept connection, no retry inside. A client that repeats
 * by itself would break the promise of one attempt an event.
 */
export function sendWebhook(message: WebhookToSend, options: WebhookOptions): Promise<SentWebhook> {
  return new Promise((resolve) => {
    const url = new URL(message.url);
    const refused = refusedUrl(url, options.guard);
    if (refused !== undefined) return resolve({ ok: false, status: null, reason: refused });
    const request = open(url, message, options);
    // Once there is a status it stands, however the rest of the answer ends.
    let answered: SentWebhook | undefined;
    let cancelBodyTimer = () => {};
    const body = firstOfBody();
    const end = (outcome: SentWebhook) => {
      cancelTimer();
      cancelBodyTimer();
      request.destroy();
      const answer = body.text();
      resolve({ ...(answered ?? outcome), ...(answer === '' ? {} : { answer }) });
    };
    // The timer and `close` settle by themselves: not every answer makes Node say `response` or `error`.
    const cancelTimer = options.clock.after(options.timeoutMs, () => end(failedFor('timeout')));
    request.on('response', (response) => {
      answered = outcomeOf(response);
      cancelBodyTimer = options.clock.after(BODY_WAIT_MS, () => end(failedFor('timeout')));
      readToEnd(response, body.take, () => end(failedFor('connection_closed')));
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      end(outcomeOf(response));
    });
    request.on('error', (error) => end(failedFor(reasonOf(error))));
    request.on('close', () => end(failedFor('connection_closed')));
    request.end(message.body);
  });
}

function refusedUrl(url: URL, guard: AddressGuard): string | undefined {
  if (url.protocol !== 'https:') return 'not_https';
  const address = literalAddress(url);
  if (address === undefined || guard.isAllowed(address)) return undefined;
  return reasonOf(guard.block(address));
}

function open(url: URL, message: WebhookToSend, { guard, ca, signal }: WebhookOptions): ClientRequest {
  const { context, sessions } = trusting(ca);
  const session = sessions.get(url.host);
  const request = httpsRequest(url, {
    method: 'POST',
    agent: false,
    lookup: guard.lookup,
    minVersion: TLS_MIN,
    signal,
    ...context,
    ...(session === undefined ? {} : { session }),
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(message.body),
      'User-Agent': USER_AGENT,
      'X-Webhook-Signature': signature(message.secret, message.body),
      'X-Webhook-Delivery': message.deliveryId,
      Connection: 'close',
    },
  });
  request.once('socket', (socket) => socket.once('session', (ticket) => sessions.set(url.host, ticket)));
  return request;
}

const SESSIONS_KEPT = 1_000;
/** So long a receiver is taken for who it showed it was. */
const SESSION_MS = 600_000;

interface Trust {
  readonly ca: string | undefined;
  /** Reading a hundred authorities takes longer than the rest of a delivery: once, for they stay the same. */
  readonly context: { readonly secureContext?: SecureContext };
  /**
   * What the last conversation with a receiver agreed on: the next one begins with it, which spares half of a
   * handshake's work. The connection is another one all the same, and where it leads is looked at again.
   */
  readonly sessions: LRUCache<string, Buffer>;
}

let trust: Trust | undefined;

function trusting(ca: string | undefined): Trust {
  if (trust?.ca === ca && trust !== undefined) return trust;
  const context = ca === undefined ? {} : { secureContext: createSecureContext({ ca, minVersion: TLS_MIN }) };
  trust = { ca, context, sessions: new LRUCache({ max: SESSIONS_KEPT, ttl: SESSION_MS, noUpdateTTL: true }) };
  return trust;
}

function failedFor(reason: string): SentWebhook {
  return { ok: false, status: null, reason };
}

/** The status decides. */
function outcomeOf({ statusCode: status = 0 }: IncomingMessage): SentWebhook {
  return status >= 200 && status < 300
    ? { ok: true, status }
    : { ok: false, status, reason: `http_${status}` };
}

/** The body is read so far that a receiver may finish, and no further. */
function readToEnd(response: IncomingMessage, take: (chunk: Buffer) => void, end: () => void): void {
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    take(chunk);
    if (size > RESPONSE_MAX_BYTES) end();
  });
  response.on('end', end);
  response.on('error', end);
}

/** Keeps as much of a body as its log shows: data from outside, freed of what is hidden. */
function firstOfBody() {
  // A character may be cut in two by the network.
  const decoder = new StringDecoder('utf8');
  let kept = '';
  return {
    take: (chunk: Buffer) => {
      if (kept.length < ANSWER_MAX) kept = (kept + decoder.write(chunk)).slice(0, ANSWER_MAX);
    },
    text: () => boundedText(kept, ANSWER_MAX),
  };
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof BlockedAddressError) return 'blocked_address';
  if (error.name === 'AbortError') return 'stopped';
  return (error.code ?? 'connection_failed').toLowerCase();
}
