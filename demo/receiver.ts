import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';

const SECRET = 'a secret that both sides know, for the demo';

export interface ReceivedEvent {
  readonly event: string;
  readonly discoveryId: string;
  readonly revision: number;
  readonly resultsComplete: boolean;
  /** Whether the signature fits the bytes that came. */
  readonly signed: boolean;
}

export interface Receiver {
  readonly url: string;
  readonly secret: string;
  /** Resolves with the next event that fits, or with one that came already. */
  event(fits: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>;
  stop(): Promise<void>;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** Where the certificate lies, for a sender that is to trust it. */
  readonly file: string;
}

/** A certificate for this machine, made for one run. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const names = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ] as const;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    extensions: [{ name: 'subjectAltName', altNames: [...names] }],
  });
  const file = join(folder, 'receiver.pem');
  writeFileSync(file, cert);
  return { key, cert, file };
}

/** Receives webhooks over HTTPS and checks the signature of each, as any receiver would. */
export async function startReceiver({ key, cert }: Certificate): Promise<Receiver> {
  const received: ReceivedEvent[] = [];
  const listeners = new Set<() => void>();
  const server = createServer({ key, cert }, (req, res) => {
    void text(req).then((body) => {
      received.push({ ...JSON.parse(body), signed: isSigned(body, req.headers['x-webhook-signature']) });
      res.writeHead(204).end();
      for (const look of listeners) look();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `https://127.0.0.1:${port}/events`,
    secret: SECRET,
    event: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = received.find(fits);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function isSigned(body: string, header: string | string[] | undefined): boolean {
  const expected = Buffer.from(createHmac('sha256', SECRET).update(body).digest('hex'));
  const given = Buffer.from(typeof header === 'string' ? header : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
