import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

/** Made once: a server that is given none makes its own, and a seller is a new server with each request. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** What a seller on the official library answers one request with: its handlers are still to be set. */
export function sellerServer(name: string): Server {
  return new Server({ name, version: '1' }, { capabilities: { tools: {} }, jsonSchemaValidator });
}

/** Lets it answer the request, and ends it with the answer. */
export async function answerWith(server: Server, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const transport = new StreamableHTTPServerTransport({});
  res.on('close', () => void server.close());
  await server.connect(transport as Parameters<Server['connect']>[0]);
  await transport.handleRequest(req, res);
}
