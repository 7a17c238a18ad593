/**
 * Sellers on sockets of their own that take their time: `npx tsx bench/slow-sellers.ts <how many> <ms>` prints the
 * address of each. They share one process, so each answer is made once and for all: sellers that spent milliseconds
 * of the processor on a request would be what is measured, and the slowest of many would take far longer than said.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { adcpProduct } from '../test/support/sellers/seller-agent.ts';

const [count = '0', delayMs = '0'] = process.argv.slice(2);

interface Message {
  readonly id?: number | string;
  readonly method: string;
}

const fixed: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'slow', version: '1' },
  },
  'tools/list': { tools: [{ name: 'get_products', inputSchema: { type: 'object' } }] },
};

async function answer(req: IncomingMessage, res: ServerResponse, products: string): Promise<void> {
  let text = '';
  for await (const part of req) text += String(part);
  const { id, method }: Message = req.method === 'POST' ? JSON.parse(text) : { method: '' };
  if (method === 'tools/call') await pause(Number(delayMs));
  const result = method === 'tools/call' ? products : JSON.stringify(fixed[method]);
  if (id === undefined || result === undefined) {
    res.writeHead(method.startsWith('notifications/') ? 202 : 404).end();
    return;
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.end(`event: message\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n\n`);
}

const urls: string[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const structuredContent = { products: [adcpProduct(`slow-${index}`)] };
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
  const products = JSON.stringify({ content, structuredContent });
  const server = createServer((req, res) => void answer(req, res, products)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}
process.stdout.write(`${JSON.stringify(urls)}\n`);
