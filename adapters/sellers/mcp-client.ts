import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { AnswerPool } from './answer-pool.ts';
import { answerIn, refusal, type SlicedProducts } from './answers.ts';
import type { Fetch } from './seller-fetch.ts';

/** What a tool of another server answered. */
export interface ToolReply {
  readonly isError: boolean;
  readonly structuredContent: unknown;
  /** The text blocks, joined. */
  readonly text: string;
  /** The list of products, when it was too large to stand in the content. */
  readonly products: SlicedProducts | undefined;
}

/** A tool as its server declares it. */
export interface DeclaredTool {
  readonly name: string;
  readonly inputSchema: unknown;
}

export interface ToolClient {
  call(name: string, args: Record<string, unknown>, options: CallOptions): Promise<ToolReply>;
  /** The tools that the server has. */
  tools(options: CallOptions): Promise<readonly DeclaredTool[]>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

interface Connection extends CallOptions {
  readonly fetch: Fetch;
  readonly headers: Record<string, string>;
  /** Reads what is too large to be read at once. */
  readonly pool: AnswerPool;
  /** Whose turn it is there. */
  readonly owner: string;
}

/** Why a server could not be talked to, in words that do not depend on the client library. */
export type ClientFailure = 'unauthorized' | 'timeout' | 'not_mcp' | 'failing' | 'unreachable';

/** The server asks to be asked later. */
export class BusyError extends Error {
  /** What its Retry-After says: seconds, or a moment. */
  readonly retryAfter: string | undefined;

  constructor(retryAfter: string | null) {
    super('The server answers no more calls for now.');
    this.name = 'BusyError';
    this.retryAfter = retryAfter ?? undefined;
  }
}

/** A call that is under way. */
interface Call {
  readonly signal: AbortSignal;
  products?: SlicedProducts | undefined;
}

/**
 * The call that a request belongs to. One for the process: Node carries every storage that was ever entered
 * through every promise, so that one for each connection would slow all of them, for good.
 */
const calls = new AsyncLocalStorage<Call>();

/** Connects to an MCP server of either era. */
export async function connectTools(url: string, connection: Connection): Promise<ToolClient> {
  const client = new Client(
    { name: 'rialto', version: '1' },
    // What a server wants to know before it answers is for nobody here to say.
    { versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: exchanges(connection),
    requestInit: { headers: connection.headers },
  });
  const { signal, timeoutMs } = connection;
  try {
    await calls.run({ signal }, () => client.connect(transport, { signal, timeout: timeoutMs }));
  } catch (error) {
    await client.close().catch(() => {});
    throw probeFailure(error) ?? error;
  }
  return {
    call: (name, args, options) => callTool(client, { name, arguments: args }, options),
    tools: (options) => listTools(client, options),
    close: () => client.close(),
  };
}

/** Why a request ends whose call failed. Made once: an error of its own for each would be what costs most of it. */
const OVER = new Error('The call is over.');

/** Calls a tool. When it fails, also by its time, nothing of the call stays open; what answered ends by itself. */
async function callTool(
  client: Client,
  params: { name: string; arguments: Record<string, unknown> },
  { signal, timeoutMs }: CallOptions,
): Promise<ToolReply> {
  const over = new AbortController();
  const call: Call = { signal: AbortSignal.any([signal, over.signal]) };
  try {
    const result = await calls.run(call, () => client.callTool(params, { signal, timeout: timeoutMs }));
    const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return {
      isError: result.isError === true,
      structuredContent: result.structuredContent,
      text: texts.join('\n'),
      products: call.products,
    };
  } catch (error) {
    over.abort(OVER);
    throw error;
  }
}

/** More tools than any seller has. */
const TOOLS_MAX = 500;

async function listTools(client: Client, { signal, timeoutMs }: CallOptions): Promise<DeclaredTool[]> {
  // A list that the client keeps has it refuse answers by the schemas in it: an order that was taken is no failure.
  const options = { signal, timeout: timeoutMs, cacheMode: 'bypass' } as const;
  const { tools } = await calls.run({ signal }, () => client.listTools({}, options));
  return tools.slice(0, TOOLS_MAX).map(({ name, inputSchema }) => ({ name, inputSchema }));
}

/** What failed while the era was found out: the client hides it in the data of its own error. */
function probeFailure(error: unknown): Error | undefined {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.EraNegotiationFailed) return undefined;
  const { data } = error;
  const hidden = typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
  return hidden instanceof Error ? hidden : undefined;
}

/** How servers answer the newer era's question who do not know it and break over it. */
const BROKEN_BY_PROBE: ReadonlySet<number> = new Set([500, 501, 502]);

/**
 * The exchanges of a connection, each a request and one answer. The client library would keep a stream open for
 * what a server has to say by itself, and reconnect as often as that tells it to: there is no such stream here,
 * and of an answer that is a stream it sees the answer alone. What is large is read elsewhere.
 */
function exchanges({ fetch, pool, owner, timeoutMs }: Connection): Fetch {
  return async (input, init) => {
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    const call = isRequest(init?.body) ? calls.getStore() : undefined;
    const ends = call?.signal ?? AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([ends, init?.signal ?? []].flat());
    const response = await fetch(input, { ...init, signal });
    if (!response.ok) return refused(response, new Headers(init?.headers).get('mcp-method'));
    return call === undefined ? response : answered(response, { pool, owner, call });
  };
}

async function refused(response: Response, method: string | null): Promise<Response> {
  const { status, headers } = response;
  const short = await refusal(response);
  if (status === 429) throw new BusyError(headers.get('retry-after'));
  // The newer era's question alone failed: the older one may be answered.
  if (method === 'server/discover' && BROKEN_BY_PROBE.has(status)) return new Response(null, { status: 404 });
  return short;
}

/** A notification awaits no answer, and goes out although the call it is about is over. */
function isRequest(body: unknown): boolean {
  return typeof body === 'string' && 'id' in Object(JSON.parse(body));
}

/** A response that was read already: its words are given as they are, and not through a stream once more. */
function readAlready(words: string, init: ResponseInit): Response {
  return Object.assign(new Response(null, init), {
    text: () => Promise.resolve(words),
    json: async (): Promise<unknown> => JSON.parse(words),
  });
}

async function answered(
  response: Response,
  { pool, owner, call }: { pool: AnswerPool; owner: string; call: Call },
): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!/^(application\/json|text\/event-stream)/i.test(type)) return response;
  const { message, products } = await answerIn(response, { pool, seller: owner, signal: call.signal });
  call.products = products;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return readAlready(message, { status: response.status, headers });
}

/** What went wrong between us and a server. */
export function classifyFailure(error: unknown): ClientFailure {
  if (error instanceof UnauthorizedError) return 'unauthorized';
  if (error instanceof SdkHttpError) return classifyStatus(error.data.status);
  if (error instanceof ProtocolError) return NO_SUCH_TOOL.has(error.code) ? 'not_mcp' : 'failing';
  if (error instanceof SdkError) return classifySdkError(error);
  // This is how fetch says that a connection was not made or broke.
  if (error instanceof TypeError && error.cause !== undefined) return classifyConnection(error.cause);
  return 'not_mcp';
}

/** JSON-RPC: method not found, invalid params. */
const NO_SUCH_TOOL: ReadonlySet<number> = new Set([-32_601, -32_602]);

function classifyStatus(status: number): ClientFailure {
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'failing' : 'not_mcp';
}

function classifySdkError(error: SdkError): ClientFailure {
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
      return error.cause === undefined ? 'not_mcp' : classifyFailure(error.cause);
    default:
      return 'not_mcp';
  }
}

function classifyConnection(cause: unknown): ClientFailure {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /TIMEOUT$|^ETIMEDOUT$/.test(code) ? 'timeout' : 'unreachable';
}
