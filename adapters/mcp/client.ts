import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Fetch } from '../outbound/seller-fetch.ts';

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
export type ClientFailure = 'unauthorized' | 'timeout' | 'not_mcp' | 'unreachable';

/** Connects to an MCP server of either era. */
export async function connectTools(
  url: string,
  options: { fetch: Fetch; headers: Record<string, string> } & CallOptions,
): Promise<ToolClient> {
  const client = new Client({ name: 'rialto', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: options.fetch,
    requestInit: { headers: options.headers },
  });
  await client.connect(transport, { signal: options.signal, timeout: options.timeoutMs });
  return {
    call: async (name, args, { signal, timeoutMs }) => {
      const result = await client.callTool({ name, arguments: args }, { signal, timeout: timeoutMs });
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

/** What went wrong between us and a server. */
export function classifyFailure(error: unknown): ClientFailure {
  if (error instanceof UnauthorizedError) return 'unauthorized';
  if (error instanceof SdkHttpError) {
    return error.data.status === 401 || error.data.status === 403 ? 'unauthorized' : 'not_mcp';
  }
  if (error instanceof ProtocolError) return 'not_mcp';
  if (error instanceof SdkError) return classifySdkError(error.code);
  return error instanceof SyntaxError ? 'not_mcp' : 'unreachable';
}

function classifySdkError(code: SdkErrorCode): ClientFailure {
  switch (code) {
    case SdkErrorCode.RequestTimeout:
      return 'timeout';
    case SdkErrorCode.ClientHttpAuthentication:
    case SdkErrorCode.ClientHttpForbidden:
      return 'unauthorized';
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.SendFailed:
      return 'unreachable';
    default:
      return 'not_mcp';
  }
}
