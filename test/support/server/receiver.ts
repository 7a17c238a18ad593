import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

/** What arrived at a receiver of webhooks. */
export interface Delivery {
  readonly method: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  readonly raw: string;
  /** Whether the conversation began with what the one before it had agreed on. */
  readonly resumed: boolean;
  readonly payload: {
    readonly event: string;
    /** True for a delivery that somebody tries the receiver with. */
    readonly test?: boolean;
    readonly discoveryId: string;
    readonly revision: number;
    readonly resultsComplete: boolean;
    readonly [field: string]: unknown;
  };
}

type Answer = (res: ServerResponse, delivery: Delivery) => void;

export interface Receiver {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** Answers so from now on; at first 204. */
  answers(answer: Answer): void;
  /** Resolves once so many deliveries have arrived. */
  received(times: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Authority {
  /** A PEM file that the service is told to trust. */
  readonly file: string;
  readonly key: string;
  readonly certificate: string;
  remove(): void;
}

interface Named {
  /** Of two with one name only the first is looked at. */
  readonly name: string;
  /** When it holds, where that is not now. */
  readonly notBeforeDate: Date;
  readonly notAfterDate: Date;
}

/** A certificate for this machine, and the file that makes it trusted. */
export async function newAuthority({
  name = '127.0.0.1',
  ...times
}: Partial<Named> = {}): Promise<Authority> {
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: name }], {
    // Made sooner than a key of RSA.
    keyType: 'ec',
    ...times,
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'rialto-ca-'));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, certificate);
  return { file, key, certificate, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A receiver of webhooks: HTTPS on a port of its own. */
export async function startReceiver(authority: Authority): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const waiting = new Set<() => void>();
  let answer: Answer = (res) => res.writeHead(204).end();
  const take = async (req: IncomingMessage, res: ServerResponse) => {
    const raw = await text(req);
    const { method = '', httpVersion, headers, socket } = req;
    const resumed = socket instanceof TLSSocket && socket.isSessionReused();
    const delivery = { method, httpVersion, headers, raw, resumed, payload: JSON.parse(raw) };
    deliveries.push(delivery);
    answer(res, delivery);
    for (const check of waiting) check();
  };
  const server = createServer({ key: authority.key, cert: authority.certificate }, (req, res) => {
    // A sender that breaks off mid-request has delivered nothing.
    take(req, res).catch(() => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/hook`,
    deliveries,
    answers: (next) => {
      answer = next;
    },
    received: (times) =>
      new Promise((resolve) => {
        const check = () => {
          if (deliveries.length < times) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
