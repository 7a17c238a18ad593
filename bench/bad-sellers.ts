/**
 * Sellers that send what is large: prints the address of each, by what it sends. Each answer is made once and for
 * all, so that whoever sends it takes next to no time of the processor.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adcpProduct } from '../test/support/sellers/seller-agent.ts';

/** Just below the largest answer that is taken. */
const LARGE = 3_900_000;
const PRODUCTS = 900;

const fill = (product: object) => {
  const missing = Math.floor(LARGE / PRODUCTS) - JSON.stringify(product).length;
  return { ...product, ext: { filling: 'x'.repeat(Math.max(0, missing - 30)) } };
};
const products = (make: (index: number) => object) =>
  JSON.stringify(Array.from({ length: PRODUCTS }, (_, index) => make(index)));
const sent: Readonly<Record<string, string>> = {
  empty: `[${'{},'.repeat(LARGE / 3 - 1)}{}]`,
  wide: products((index) =>
    adcpProduct(`wide-${index}`, {
      publisher_properties: [{ publisher_domain: `p${index}.example`, selection_type: 'all' }],
    }),
  ),
  long: products((index) => fill(adcpProduct(`long-${index}`, { description: 'x'.repeat(1_900) }))),
};

interface Message {
  readonly id?: number;
  readonly method: string;
}

const opened = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'large', version: '1' },
};

async function answer(req: IncomingMessage, res: ServerResponse, list: string): Promise<void> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  const { id, method }: Message = req.method === 'POST' ? JSON.parse(text) : { method: req.method };
  if (method === 'initialize') return event(res, id, JSON.stringify(opened));
  if (method === 'tools/call')
    return event(res, id, `{"content":[],"structuredContent":{"products":${list}}}`);
  res.writeHead(method.startsWith('notifications/') ? 202 : 404).end();
}

function event(res: ServerResponse, id: number | undefined, result: string): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.end(`event: message\ndata: {"jsonrpc":"2.0","id":${id},"result":${result}}\n\n`);
}

const urls: Record<string, string> = {};
for (const [name, list] of Object.entries(sent)) {
  const server = createServer((req, res) => void answer(req, res, list)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
process.stdout.write(`${JSON.stringify(urls)}\n`);
