import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { tools } from '../../tools/registry.ts';

/** The official high-level server with the same tools: names, descriptions and schemas of the registry. */
const [, port = '0'] = process.argv.slice(2);

const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: 'peer', version: '1' });
    for (const tool of tools.filter(({ surface }) => surface !== 'storefront')) {
      const { title, description, input, output } = tool;
      server.registerTool(
        tool.name,
        { title, description, inputSchema: input, outputSchema: output },
        () => ({
          content: [],
        }),
      );
    }
    return server;
  },
  { legacy: 'reject' },
);
createServer((req, res) => {
  const request = Object.assign(req, { method: req.method ?? 'GET', url: req.url ?? '/' });
  void toNodeHandler(handler)(request, res);
}).listen(Number(port), '127.0.0.1');
