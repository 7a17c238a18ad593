import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { z } from 'zod';

/** What an assistant uses: an MCP client with a bearer token, here and at a seller alike. */
export interface Agent {
  /** Calls a tool and reads its structured content; a refusal becomes an error. */
  call<T extends z.ZodType>(tool: string, args: Record<string, unknown>, shape: T): Promise<z.output<T>>;
  close(): Promise<void>;
}

export async function connectAgent(url: string, token: string): Promise<Agent> {
  const client = new Client({ name: 'demo', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  return {
    call: async (name, args, shape) => {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
      return shape.parse(result.structuredContent);
    },
    close: () => client.close(),
  };
}
