import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { adcpProduct, listen } from './seller-agent.ts';
import { answerWith, sellerServer } from './seller-server.ts';

/** What a seller says in words alone. */
export interface Words {
  readonly text: string;
  readonly isError?: boolean;
}

export interface PlainSeller {
  readonly url: string;
  /** The idempotency key of every order, in the order of arrival. */
  readonly keys: readonly string[];
  stop(): Promise<void>;
}

/** A seller that offers `far-1` in AdCP, and answers orders in words instead of structured content. */
export async function startPlainSeller(answer: (key: string) => Words): Promise<PlainSeller> {
  const keys: string[] = [];
  const replyTo = (tool: string, args: Readonly<Record<string, unknown>>) => {
    if (tool !== 'create_media_buy') {
      return { content: [], structuredContent: { products: [adcpProduct('far-1')] } };
    }
    const key = String(args['idempotency_key']);
    keys.push(key);
    const { text, isError = false } = answer(key);
    return { content: [{ type: 'text' as const, text }], isError };
  };
  const server = await listen((req, res) => void answerMcp(req, res, replyTo));
  return { url: `${server.url}/mcp`, keys, stop: server.stop };
}

async function answerMcp(
  req: IncomingMessage,
  res: ServerResponse,
  replyTo: (tool: string, args: Readonly<Record<string, unknown>>) => object,
): Promise<void> {
  const server = sellerServer('plain-seller');
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['get_products', 'create_media_buy'].map((name) => ({
      name,
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    replyTo(params.name, params.arguments ?? {}),
  );
  await answerWith(server, req, res);
}
