import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpSurface } from '../../tools/core/surfaces.ts';

/** What a token of English and JSON comes to. */
const BYTES_A_TOKEN = 4;

export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

export interface Told {
  readonly failed: boolean;
  /** What a model is shown. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an agent reads what it is given.
  readonly data: any;
}

/** What an agent spent: a line a call. */
export class Bill {
  readonly lines: { readonly what: string; readonly tokens: number }[] = [];

  add(what: string, text: string): void {
    this.lines.push({ what, tokens: tokensOf(text) });
  }

  get calls(): number {
    return this.lines.length;
  }

  get tokens(): number {
    return this.lines.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  toString(): string {
    const lines = this.lines.map(({ what, tokens }) => `  ${String(tokens).padStart(6)}  ${what}`);
    return [`${this.calls} calls, ${this.tokens} tokens of results`, ...lines].join('\n');
  }
}

export interface Agent {
  /** Names, descriptions and inputs of the tools, which hosts show a model unasked. */
  readonly listTokens: number;
  readonly bill: Bill;
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Told>;
  /** The result of a call that has to succeed. */
  get(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Told['data']>;
  close(): Promise<void>;
}

/** An agent behind a client that anybody has, which knows an address and a key and reads what it is told. */
export async function newAgent(url: string, key: string, surface: McpSurface = 'buyer'): Promise<Agent> {
  const client = new Client({ name: 'trial', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp/v2/${surface}`), {
    requestInit: { headers },
  });
  // Its own types do not agree with one another about an undefined session id.
  await client.connect(transport as Transport);
  const { tools } = await client.listTools();
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const bill = new Bill();
  const call = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Told> => {
    const result = await client.callTool({ name, arguments: args });
    const [part] = result.content as readonly { readonly text: string }[];
    const text = part?.text ?? '';
    bill.add(result.isError ? `${name} (refused)` : name, text);
    return { failed: result.isError === true, text, data: result.structuredContent };
  };
  return {
    listTokens: tokensOf(JSON.stringify(shown)),
    bill,
    call,
    get: async (name, args) => {
      const told = await call(name, args);
      if (told.failed) throw new Error(`${name} was refused: ${told.text}`);
      return told.data;
    },
    close: () => client.close(),
  };
}
