import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import Database from 'better-sqlite3';
import { campaignReads } from './campaign-reads.ts';

/** The official low-level server, stateless, with one tool that does the same SELECTs. */
const [file = '', port = '0'] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const read = campaignReads(db);

const handler = createMcpHandler(
  () => {
    const server = new Server({ name: 'peer', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: 'campaign_get', inputSchema: { type: 'object' as const } }],
    }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const answer = read(params.arguments?.['campaignId']);
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
    });
    return server;
  },
  { legacy: 'reject' },
);
createServer((req, res) => {
  const request = Object.assign(req, { method: req.method ?? 'GET', url: req.url ?? '/' });
  void toNodeHandler(handler)(request, res);
}).listen(Number(port), '127.0.0.1');
