import type { IncomingMessage } from 'node:http';
import { listen, type RawServer } from './seller-agent.ts';

const SELF = { name: 'raw', version: '1' };

/** Either how a server greets, or that it is of the era that greets no more. */
const GREETINGS = {
  older: { initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: SELF } },
  newer: {
    'server/discover': {
      ...{ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      ...{ serverInfo: SELF, ttlMs: 1_000, cacheScope: 'private' },
    },
  },
} as const;

export type Era = keyof typeof GREETINGS;

/** An error of JSON-RPC, where a call is answered with that. */
export class RpcError {
  readonly error: object;

  constructor(error: object) {
    this.error = error;
  }
}

interface Tools {
  readonly era: Era;
  readonly names: readonly string[];
  /** The whole result of a call, or its error, which no library looks at on its way. */
  call(tool: string, args: Readonly<Record<string, unknown>>): object;
}

/** A seller whose answers are what a test makes them, to the last field. */
export function startRawSeller({ era, names, call }: Tools): Promise<RawServer> {
  const listed = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const general = { ...GREETINGS[era], 'tools/list': { tools: listed } };
  return listen(async (req, res) => {
    const { id, method, params } = JSON.parse(await textOf(req));
    const known = Object.entries(general).find(([name]) => name === method)?.[1];
    const answer = method === 'tools/call' ? call(params.name, params.arguments ?? {}) : known;
    if (id === undefined) return void res.writeHead(202).end();
    if (answer === undefined) return void res.writeHead(404).end();
    res.writeHead(200, { 'content-type': 'application/json' });
    const told = answer instanceof RpcError ? { error: answer.error } : { result: ofEra(era, answer) };
    res.end(JSON.stringify({ jsonrpc: '2.0', id, ...told }));
  });
}

function ofEra(era: Era, result: object): object {
  return era === 'older' ? result : { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of req) text += String(part);
  return text;
}
