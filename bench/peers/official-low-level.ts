import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import Database from 'better-sqlite3';

/** The official low-level server, stateless, with one tool that does the same SELECT. */
const [file = '', port = '0'] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const select = db.prepare('select * from campaigns where id = ?');

const handler = createMcpHandler(
  () => {
    const server = new Server({ name: 'peer', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: 'campaign_get', inputSchema: { type: 'object' as const } }],
    }));
    server.setRequestHandler('tools/call', ({ params }) => {
      const campaign = select.get(params.arguments?.['campaignId']);
      return { content: [{ type: 'text', text: JSON.stringify(campaign) }], structuredContent: { campaign } };
    });
    return server;
  },
  { legacy: 'reject' },
);
createServer((req, res) => {
  const request = Object.assign(req, { method: req.method ?? 'GET', url: req.url ?? '/' });
  void toNodeHandler(handler)(request, res);
}).listen(Number(port), '127.0.0.1');
