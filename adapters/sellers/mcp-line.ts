import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { asText } from '../../tools/core/schemas/as-text.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { traceOfSignal, traceparent } from '../../tools/core/traces.ts';
import type { AnswerOwner, AnswerPool } from './answer-pool.ts';
import { type Answer, answerIn, answerOf } from './answers.ts';
import { BusyError, OtherProtocolError, ProtocolError, StatusError } from './client-failures.ts';
import { isFine, post, type Received, SMALL, type Target } from './exchange.ts';
import type { HiddenCredential } from './hidden-credential.ts';

/** A server, and what every message to it carries. */
export interface Line {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  /** Reads what is too large to be read at once. */
  readonly pool: AnswerPool;
  /** Whose turn it is there. */
  readonly owner: AnswerOwner;
  /** What the server is shown in the headers, and its answers are not to show. */
  readonly hidden: HiddenCredential;
}

interface Sending {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

interface Answered {
  readonly answer: Answer;
  readonly headers: IncomingHttpHeaders;
}

const OWN_HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'user-agent': 'rialto',
};

/** Sends a request, and gives the one answer to it, be it the body or an event of a stream. */
export async function ask(line: Line, sending: Sending): Promise<Answered> {
  const { headers, event, body } = await send(line, sending);
  const { pool, owner } = line;
  const reading = { pool, owner, signal: sending.signal, asked: sending.body };
  if (event !== undefined) return { answer: line.hidden.answer(event), headers };
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  const answer = isJson ? await answerOf(body, reading) : undefined;
  if (answer === undefined) throw new OtherProtocolError('What came is no answer of JSON-RPC.');
  return { answer: line.hidden.answer(answer), headers };
}

/** Sends what awaits no answer. */
export async function tell(line: Line, sending: Sending): Promise<void> {
  await send(line, sending);
}

const SPAN_BYTES = 8;

/** Each request to a seller is a step of its own in the trace of whoever it is made for. */
function tracing(signal: AbortSignal): Readonly<Record<string, string>> | undefined {
  const trace = traceOfSignal(signal);
  return trace && { traceparent: traceparent(trace, randomBytes(SPAN_BYTES).toString('hex')) };
}

async function send(line: Line, { body, headers, signal }: Sending): Promise<Received<Answer>> {
  const { pool, owner } = line;
  const received = await post<Answer>(line.target, {
    headers: { ...OWN_HEADERS, ...line.headers, ...headers, ...tracing(signal) },
    body,
    signal,
    accept: answerIn,
    acceptLarge: (text) => answerOf(Buffer.from(text), { pool, owner, signal, asked: body }),
  });
  if (isFine(received.status)) return received;
  throw refusalIn(received, line.hidden);
}

function refusalIn({ status, headers, body }: Received<Answer>, hidden: HiddenCredential): Error {
  if (status === 429) return new BusyError(headers['retry-after']);
  // Longer than any words of a server need.
  return new StatusError(status, body.byteLength > SMALL ? '' : hidden.text(body.toString()));
}

/** What an answer holds; an error of the server's is thrown. */
export function resultOf({ message }: Pick<Answer, 'message'>): Record<string, unknown> {
  const { result, error } = message;
  if (isFields(error)) throw new ProtocolError(Number(asText(error['code'])), asText(error['message']));
  if (!isFields(result)) throw new OtherProtocolError('The answer holds no result.');
  return result;
}
