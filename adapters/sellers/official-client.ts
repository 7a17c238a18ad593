import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Carried } from '../../store/engine/carried.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { follows, traceOfSignal } from '../../tools/core/traces.ts';
import type { Answer } from './answers.ts';
import {
  ClassifiedError,
  type ClientFailure,
  classifyCode,
  classifyFailure,
  classifyStatus,
  OtherProtocolError,
  StatusError,
} from './client-failures.ts';
import { toolListing } from './declared-tools.ts';
import type { CallOptions, DeclaredTool, ToolClient, ToolReply } from './mcp-client.ts';
import { ask, type Line, tell } from './mcp-line.ts';
import { PAGES_MAX, replyOf } from './plain-client.ts';
import { isOfAdcp } from './refusal-forms.ts';

/** A call that is under way. */
interface Call {
  readonly signal: AbortSignal;
  /** What came last. */
  answer?: Answer;
}

/** The call that a request belongs to, of all connections. */
const calls = new Carried<Call>();

/** The official client, for servers of the newer era. */
export async function connectOfficial(line: Line, options: CallOptions): Promise<ToolClient> {
  const { signal, timeoutMs } = options;
  const client = new Client(
    { name: 'rialto', version: '1' },
    // What a server wants to know before it answers is for nobody here to say.
    { versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false }, listMaxPages: PAGES_MAX },
  );
  const url = new URL(line.target.path, line.target.origin);
  const transport = new StreamableHTTPClientTransport(url, { fetch: exchanges(line, timeoutMs) });
  try {
    await calls.during({ signal }, () => client.connect(transport, { signal, timeout: timeoutMs }));
  } catch (error) {
    await client.close().catch(() => {});
    throw classified(hiddenIn(error) ?? error);
  }
  return {
    call: (name, args, given) =>
      callTool(client, { name, arguments: args }, given).catch((error: unknown) => {
        throw classified(error);
      }),
    tools: (given) =>
      listTools(client, given).catch((error: unknown) => {
        throw classified(error);
      }),
    close: () => client.close(),
  };
}

/** Calls a tool. When it fails, also by its time, nothing of the call stays open. */
async function callTool(
  client: Client,
  params: { name: string; arguments: Record<string, unknown> },
  { signal, timeoutMs }: CallOptions,
): Promise<ToolReply> {
  const over = new AbortController();
  const call: Call = { signal: AbortSignal.any([signal, over.signal]) };
  follows(call.signal, traceOfSignal(signal));
  try {
    await calls.during(call, () => client.callTool(params, { signal, timeout: timeoutMs }));
    if (call.answer === undefined) throw new OtherProtocolError('What came is no answer of JSON-RPC.');
    return replyOf(call.answer);
  } catch (error) {
    over.abort(OVER);
    if (error instanceof ProtocolError && call.answer && isOfAdcp(call.answer.message)) {
      return replyOf(call.answer);
    }
    throw error;
  }
}

/** Why a request ends whose call failed. Made once: an error of its own for each would be what costs most of it. */
const OVER = new Error('The call is over.');

async function listTools(client: Client, { signal, timeoutMs }: CallOptions): Promise<DeclaredTool[]> {
  // A list that the client keeps has it refuse answers by the schemas in it: an order that was taken is no failure.
  const options = { signal, timeout: timeoutMs, cacheMode: 'bypass' } as const;
  const { tools } = await calls.during({ signal }, () => client.listTools({}, options));
  const listing = toolListing();
  listing.add(tools);
  return listing.tools;
}

/**
 * The exchanges of a connection, each a request and one answer. The client library would keep a stream open for
 * what a server has to say by itself, and reconnect as often as that tells it to: there is no such stream here,
 * and of an answer that is a stream it sees the answer alone.
 */
function exchanges(line: Line, timeoutMs: number): typeof fetch {
  return async (_input, init = {}) => {
    if (typeof init.body !== 'string') return new Response(null, { status: 405 });
    const call = isRequest(init.body) ? callUnderWay() : undefined;
    const ends = call?.signal ?? AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([ends, init.signal ?? []].flat());
    follows(signal, traceOfSignal(ends));
    const sending = { body: init.body, headers: Object.fromEntries(new Headers(init.headers)), signal };
    return exchanged(line, sending, call).catch(withItsStatus);
  };
}

/** What was given up before it went out must not go out any more: it may be an order. */
function callUnderWay(): Call {
  const call = calls.value;
  if (call === undefined) throw new ClassifiedError('unreachable', OVER);
  return call;
}

function withItsStatus(error: unknown): Response {
  if (error instanceof StatusError) return new Response(error.text, { status: error.status });
  throw error;
}

async function exchanged(
  line: Line,
  sending: Parameters<typeof ask>[1],
  call: Call | undefined,
): Promise<Response> {
  if (call === undefined) {
    await tell(line, sending);
    return new Response(null, { status: 202 });
  }
  const { answer } = await ask(line, sending);
  call.answer = answer;
  return Response.json(withoutContent(answer.message));
}

/** What a tool said is read here: the client would refuse all of it for one block that is none. */
function withoutContent(message: Answer['message']): object {
  const { result } = message;
  if (!isFields(result) || !('content' in result || 'structuredContent' in result)) return message;
  const { structuredContent: _, isError: __, ...rest } = result;
  return { ...message, result: { ...rest, content: [] } };
}

/** A notification awaits no answer, and goes out although the call it is about is over. */
function isRequest(body: string): boolean {
  return 'id' in Object(JSON.parse(body));
}

/** What failed while the revision was found out: the client hides it in the data of its own error. */
function hiddenIn(error: unknown): Error | undefined {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.EraNegotiationFailed) return undefined;
  const { data } = error;
  const hidden = typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
  return hidden instanceof Error ? hidden : undefined;
}

function classified(error: unknown): ClassifiedError {
  return new ClassifiedError(failureOf(error), error);
}

function failureOf(error: unknown): ClientFailure {
  if (error instanceof UnauthorizedError) return 'unauthorized';
  if (error instanceof SdkHttpError) return classifyStatus(error.data.status);
  if (error instanceof ProtocolError) return classifyCode(error.code);
  return error instanceof SdkError ? ofClient(error) : classifyFailure(error);
}

function ofClient(error: SdkError): ClientFailure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return 'timeout';
    case SdkErrorCode.ClientHttpAuthentication:
    case SdkErrorCode.ClientHttpForbidden:
      return 'unauthorized';
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.SendFailed:
      return 'unreachable';
    case SdkErrorCode.EraNegotiationFailed:
      return error.cause === undefined ? 'not_mcp' : failureOf(error.cause);
    default:
      return 'not_mcp';
  }
}
