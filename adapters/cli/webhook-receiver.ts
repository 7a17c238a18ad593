import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { listeningAt } from '../http/listening.ts';
import { isSameSecret } from '../http/same-secret.ts';
import { signature } from '../webhooks/request.ts';
import { codeOf, readGiven } from './files.ts';

const BODY_MAX_BYTES = 2_097_152;

export interface Listening {
  readonly secret: string;
  readonly host: string;
  readonly port: number;
  /** Files; over plain http without them. */
  readonly cert?: string;
  readonly key?: string;
}

export interface Received {
  readonly isSigned: boolean;
  /** What the sender calls the delivery. */
  readonly delivery: string;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  close(): void;
}

/** A receiver as it should be: reads the bytes, checks their signature, and answers before it does anything else. */
export async function listenForWebhooks(
  { secret, host, port, cert, key }: Listening,
  tell: (received: Received) => void,
): Promise<WebhookReceiver> {
  if ((cert === undefined) !== (key === undefined)) throw new Error('Give --cert and --key, or neither.');
  const serve: RequestListener = (req, res) => {
    receive(req, res, secret).then(
      (received) => received !== undefined && tell(received),
      () => res.destroy(),
    );
  };
  const isSecure = cert !== undefined && key !== undefined;
  const server = isSecure ? secureServer({ cert, key }, serve) : createServer(serve);
  const given = await listeningAt(server, { port, host }).catch((error: unknown) => {
    throw notListening({ port, host }, error);
  });
  return {
    url: `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${given}/`,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function secureServer(files: { readonly cert: string; readonly key: string }, serve: RequestListener) {
  const [cert, key] = [readGiven('--cert', files.cert), readGiven('--key', files.key)];
  try {
    return createSecureServer({ cert, key }, serve);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `--cert and --key are no certificate with its key (${why}). Give two PEM files that fit.`,
      { cause: error },
    );
  }
}

/** It is about the options of this command, and not about the settings of the service. */
function notListening({ port, host }: Pick<Listening, 'port' | 'host'>, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is in use. Give --port another one, or 0 for any that is free.`);
  if (code === 'EACCES' || code === 'EPERM')
    return new Error(`This user may not listen on port ${port}. Give --port 1024 or more.`);
  return new Error(`--host ${host} cannot be listened on (${code}). Give an address of this machine.`);
}

async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  secret: string,
): Promise<Received | undefined> {
  const body = await bytesOf(req);
  if (req.method !== 'POST' || body === undefined) {
    res.writeHead(req.method === 'POST' ? 413 : 405, { Connection: 'close', 'Content-Length': 0 }).end();
    return undefined;
  }
  const text = body.toString('utf8');
  const isSigned = isSameSecret(String(req.headers['x-webhook-signature'] ?? ''), signature(secret, text));
  res.writeHead(isSigned ? 204 : 401, { Connection: 'close' }).end();
  return { isSigned, delivery: String(req.headers['x-webhook-delivery'] ?? ''), body: text };
}

async function bytesOf(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size > BODY_MAX_BYTES) return undefined;
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}
