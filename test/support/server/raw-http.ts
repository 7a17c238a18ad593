import { connect, type Socket } from 'node:net';

/** An answer read from the bytes of a connection. */
export interface RawReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** An open connection to a server. */
export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/**
 * Sends bytes as they are, and reads the answer until the server closes. The bytes have to ask for the close,
 * or be such that the server hangs up by itself.
 */
export async function sendBytes(url: string, ...parts: readonly (string | Buffer)[]): Promise<RawReply> {
  const socket = await openSocket(url);
  const bytes = readToEnd(socket);
  for (const part of parts) socket.write(part);
  return parseReply(await bytes);
}

/** Everything that comes until the connection is closed, by whichever side. */
export function readToEnd(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
    // A server that refuses the rest of a request resets the connection after its answer.
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** The last answer in these bytes: a server may say 100 Continue first. */
export function parseReply(bytes: Buffer): RawReply {
  const all = bytes.toString('utf8');
  const whole = all.startsWith('HTTP/1.1 100') ? all.slice(all.indexOf('\r\n\r\n') + 4) : all;
  const split = whole.indexOf('\r\n\r\n');
  const [start = '', ...lines] = (split === -1 ? whole : whole.slice(0, split)).split('\r\n');
  const text = split === -1 ? '' : whole.slice(split + 4);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1] ?? 0),
    headers: Object.fromEntries(lines.map(headerOf)),
    text,
    body: parse(text),
  };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request as text, closing the connection after it. */
export function requestText(
  start: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Buffer = '',
): Buffer {
  const lines = Object.entries({ Host: '127.0.0.1', Connection: 'close', ...headers });
  const head = `${start} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}
