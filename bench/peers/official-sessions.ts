import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import Database from 'better-sqlite3';
import { campaignReads } from './campaign-reads.ts';

/** The official low-level server of the era of sessions, with one tool that does the same SELECTs. */
const [file = '', port = '0'] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const read = campaignReads(db);
const sessions = new Map<string, StreamableHTTPServerTransport>();

async function open(): Promise<StreamableHTTPServerTransport> {
  const server = new Server({ name: 'peer', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const answer = read(params.arguments?.['campaignId']);
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  });
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: true,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/health') return void res.end('ok');
  const known = sessions.get(String(req.headers['mcp-session-id']));
  await (known ?? (await open())).handleRequest(req, res);
}

createServer((req, res) => void answer(req, res)).listen(Number(port), '127.0.0.1');
