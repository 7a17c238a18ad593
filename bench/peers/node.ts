import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Database from 'better-sqlite3';
import { campaignReads } from './campaign-reads.ts';

/**
 * What there is to win: Node alone, with the same SELECTs and as many headers as our answers carry. It answers a
 * GET of a campaign, and a `tools/call` of one. No key, no limits, no schemas, no log.
 */
const [file = '', port = '0'] = process.argv.slice(2);
const db = new Database(file, { readonly: true });
const read = campaignReads(db);

createServer((req, res) => {
  if (req.method === 'POST') whenRead(req, (body) => send(res, called(body)));
  else send(res, JSON.stringify({ data: read(req.url?.split('/').at(-1)), error: null }));
}).listen(Number(port), '127.0.0.1');

function whenRead(req: IncomingMessage, done: (body: string) => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => done(Buffer.concat(chunks).toString()));
}

function called(body: string): string {
  const { id, params } = JSON.parse(body);
  const answer = JSON.stringify(read(params.arguments.campaignId));
  const content = JSON.stringify([{ type: 'text', text: answer }]);
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":${content},"structuredContent":${answer}}}`;
}

/** Head and body in one piece, as our own answers are sent. */
function send(res: ServerResponse, body: string): void {
  res.socket?.cork();
  res.writeHead(200, [
    ...['X-Request-Id', randomUUID(), 'X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'],
    ...['RateLimit-Limit', '100000', 'RateLimit-Remaining', '99999', 'RateLimit-Reset', '60'],
    ...['Content-Type', 'application/json', 'Content-Length', `${Buffer.byteLength(body)}`],
  ]);
  res.write(body, 'latin1');
  res.socket?.uncork();
  res.end();
}
