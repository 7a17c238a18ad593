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
import type { Fetch } from './seller-fetch.ts';

/** What a tool of another server answered. */
export interface ToolReply {
  readonly isError: boolean;
  readonly structuredContent: unknown;
  /** The text blocks, joined. */
  readonly text: string;
}

export interface ToolClient {
  call(name: string, args: Record<string, unknown>, options: CallOptions): Promise<ToolReply>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Why a server could not be talked to, in words that do not depend on the client library. */
export type ClientFailure = 'unauthorized' | 'timeout' | 'not_mcp' | 'failing' | 'unreachable';

/**
 * Whom a call that is under way tells of a broken stream. One for the process: Node carries every storage that
 * was ever entered through every promise, so that one for each connection would slow all of them, for good.
 */
const broken = new AsyncLocalStorage<(error: unknown) => void>();

/** Connects to an MCP server of either era. */
export async function connectTools(
  url: string,
  options: { fetch: Fetch; headers: Record<string, string> } & CallOptions,
): Promise<ToolClient> {
  const client = new Client({ name: 'rialto', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: watchStreams(options.fetch),
    requestInit: { headers: options.headers },
  });
  try {
    await client.connect(transport, { signal: options.signal, timeout: options.timeoutMs });
  } catch (error) {
    throw probeFailure(error) ?? error;
  }
  return {
    call: async (name, args, { signal, timeoutMs }) => {
      const result = await new Promise<Awaited<ReturnType<Client['callTool']>>>((resolve, reject) => {
        broken.run(reject, () => {
          client.callTool({ name, arguments: args }, { signal, timeout: timeoutMs }).then(resolve, reject);
        });
      });
      const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      return {
        isError: result.isError === true,
        structuredContent: result.structuredContent,
        text: texts.join('\n'),
      };
    },
    close: () => client.close(),
  };
}

/** What failed while the era was found out: the client hides it in the data of its own error. */
function probeFailure(error: unknown): Error | undefined {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.EraNegotiationFailed) return undefined;
  const { data } = error;
  const hidden = typeof data === 'object' && data !== null && 'cause' in data ? data.cause : undefined;
  return hidden instanceof Error ? hidden : undefined;
}

/**
 * The client library waits for its timeout when an event stream breaks off before the answer. Here the call
 * that the stream was for hears of it at once, and why.
 */
function watchStreams(fetch: Fetch): Fetch {
  return async (input, init) => {
    const fail = broken.getStore();
    const response = await fetch(input, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (fail === undefined || !isStream || response.body === null) return response;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    response.body.pipeTo(writable).catch(fail);
    return new Response(readable, { status: response.status, headers: response.headers });
  };
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
