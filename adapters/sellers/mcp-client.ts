import type { SlicedProducts } from './answers.ts';
import { classifyFailure } from './client-failures.ts';
import { speaksNewer } from './eras.ts';
import type { Line } from './mcp-line.ts';
import { connectPlain } from './plain-client.ts';

/** What a tool of another server answered. */
export interface ToolReply {
  readonly isError: boolean;
  readonly structuredContent: unknown;
  /** The text blocks, joined. */
  readonly text: string;
  readonly blocks: readonly string[];
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

/** Servers that were found to be of the older era: they are not asked for it with every connection. */
export interface KnownServers {
  has(url: string): boolean;
  add(url: string): void;
  delete(url: string): void;
}

interface Connection extends CallOptions {
  readonly line: Line;
  readonly known: KnownServers;
}

/** Connects to an MCP server of either era. The official client is loaded for the newer one alone. */
export async function connectTools(connection: Connection): Promise<ToolClient> {
  const { line, known } = connection;
  const url = `${line.target.origin}${line.target.path}`;
  if (known.has(url)) {
    try {
      return await connectPlain(line, connection);
    } catch (error) {
      known.delete(url);
      // What it was it may be no more.
      if (classifyFailure(error) !== 'not_mcp') throw error;
    }
  }
  if (await speaksNewer(line, connection.signal)) {
    const { connectOfficial } = await import('./official-client.ts');
    return connectOfficial(line, connection);
  }
  const client = await connectPlain(line, connection);
  known.add(url);
  return client;
}
