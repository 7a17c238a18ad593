import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '../support/callers/client.ts';
import { newMember } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { connectAgent, done, newAdvertiser } from '../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { openSocket } from '../support/server/raw-http.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 600);
const AT_ONCE = 20;
/** Of buyers who look for products meanwhile. */
const SEARCHES = 4;
/** What a process may have more at the end: pages of its memory are given back late. */
const MEMORY_MAX_GROWTH = 128 * 1_048_576;
/** What it may still need at the end: what is remembered of callers and sellers is bounded, and filled by then. */
const HEAP_MAX_GROWTH = 32 * 1_048_576;
const SESSIONS = '100000';
const PATIENCE = { timeout: 60_000, interval: 200 };

const HOST = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const page = (path: string) => `GET ${path} ${HOST}\r\n`;
const bundle = page('/docs/swagger-ui-bundle.js');

/**
 * What callers do who mean ill or have bad luck: each is sent, and the connection cut after the first answer or none.
 */
const scenes: Readonly<Record<string, { readonly text: string; readonly waits: boolean }>> = {
  'leaves before the answer': { text: bundle, waits: false },
  'leaves with answers due': { text: bundle.repeat(50), waits: true },
  'asks for more than it may have': { text: page('/openapi.json').repeat(500), waits: false },
  'sends half a head': { text: 'GET /health HTTP/1.1\r\nHo', waits: false },
  'sends no HTTP': { text: '\u0000\u0001 nonsense\r\n\r\n', waits: true },
  'sends a body without end': {
    text: `POST /mcp/v2/buyer ${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${'400\r\n'}${' '.repeat(1_024)}\r\n`,
    waits: true,
  },
  'sends less than it says': {
    text: `POST /api/v2/buyer/advertisers ${HOST}${JSON_TYPE}Content-Length: 900000\r\n\r\n{`,
    waits: true,
  },
  'asks properly': { text: page('/health').repeat(20), waits: true },
};

/** How sellers close a connection in the middle of an answer: what is on the wire by then. */
const cuts: readonly string[] = [
  '',
  'HTTP/1.1 200 OK\r\nContent-Type: appli',
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{"jsonrpc":"2.0","id":1,',
  `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n${'40000'}\r\ndata: {${' '.repeat(90_000)}`,
];

describe.runIf(process.platform === 'linux')('a service among bad callers', () => {
  let database: TestDatabase;
  let folder: string;
  let service: Service;
  let sellers: readonly SellerAgent[] = [];
  let buyer: Client;
  let advertiserId: string;
  beforeAll(async () => {
    database = await freshDatabase();
    folder = mkdtempSync(join(tmpdir(), 'rialto-soak-'));
    const settings = settingsFor(database, {
      READER_TIMEOUT_MS: '1000',
      RATE_LIMIT_PER_IP: '1000000',
      DISCOVERY_SESSIONS_OPEN: SESSIONS,
      DISCOVERY_SESSIONS_STORED: SESSIONS,
      HEAP_FILE: join(folder, 'heap'),
    });
    const node = ['--expose-gc', '--import', join(import.meta.dirname, 'heap.mjs')];
    service = await startService({ folder, settings, node });
    sellers = await Promise.all(cuts.map(() => startSellerAgent()));
    for (const [index, seller] of sellers.entries()) {
      await connectAgent((await newMember(settings, `far-${index}`)).at(service.url), seller.url);
      seller.on('get_products', (_args, request) => cutOff(request, cuts[index] ?? ''));
    }
    buyer = (await newMember(settings, 'buyer')).at(service.url);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await killServices();
    for (const seller of sellers) await seller.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the process has open, by what it is. */
  const openThings = () => {
    const folderOfThem = `/proc/${service.pid}/fd`;
    const targets = readdirSync(folderOfThem).flatMap((fd) => targetOf(join(folderOfThem, fd)));
    const sockets = targets.filter((target) => target.startsWith('socket:')).length;
    return { sockets, files: targets.length - sockets };
  };
  /** Bytes of its heap that are in use once nothing is left to give back. */
  const heap = async () => {
    rmSync(join(folder, 'heap'), { force: true });
    service.signal('SIGUSR2');
    return vi.waitFor(() => {
      const bytes = Number(readFileSync(join(folder, 'heap'), 'utf8'));
      expect(bytes).toBeGreaterThan(0);
      return bytes;
    }, PATIENCE);
  };
  /** Bytes of memory that the process holds. */
  const memory = () => {
    const [, kilobytes = '0'] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  };

  const connect = async (text: string): Promise<Socket> => {
    const socket = await openSocket(service.url);
    socket.on('error', () => {});
    socket.write(text);
    return socket;
  };

  async function play({ text, waits }: { text: string; waits: boolean }): Promise<void> {
    const socket = await connect(text);
    if (waits) {
      await new Promise<void>((resolve) => {
        socket.once('data', () => resolve());
        socket.once('close', () => resolve());
      });
    }
    socket.destroy();
  }

  /** Every seller is asked, and none of them ends its answer. */
  async function askSellers(): Promise<void> {
    const fields = { advertiserId, waitSeconds: 30 };
    const found = done(await buyer.post('/buyer/discovery/discover-products', fields));
    expect(found).toMatchObject({ resultsComplete: true, productGroups: [] });
    expect(found.incompleteAgents).toHaveLength(cuts.length);
  }

  /** Everybody at once, and beside them readers that take nothing until they are cut. */
  async function round(): Promise<void> {
    const deaf = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => (await connect(bundle.repeat(10))).pause()),
    );
    for (const scene of Object.values(scenes)) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => play(scene)));
    }
    await Promise.all(Array.from({ length: SEARCHES }, askSellers));
    for (const socket of deaf) socket.destroy();
  }

  test(
    `ends where it began after ${SECONDS} seconds`,
    async () => {
      // What is loaded and kept with the first calls is no growth.
      for (const scene of [page('/'), page('/docs'), bundle, page('/openapi.json'), page('/health')]) {
        await play({ text: scene, waits: true });
      }
      const before = openThings();
      await round();
      const bytes = memory();
      const inUse = await heap();
      say('at the start', { ...before, bytes, inUse });
      const end = performance.now() + SECONDS * 1_000;
      while (performance.now() < end) await round();

      await vi.waitFor(() => {
        const { sockets, files } = openThings();
        // One that is kept for each seller, to be asked again over.
        expect(sockets).toBeLessThanOrEqual(before.sockets + cuts.length);
        expect(files).toBeLessThanOrEqual(before.files);
      }, PATIENCE);
      const last = { ...openThings(), bytes: memory(), inUse: await heap() };
      say('at the end', last);
      expect(last.inUse).toBeLessThan(inUse + HEAP_MAX_GROWTH);
      expect(last.bytes).toBeLessThan(bytes + MEMORY_MAX_GROWTH);
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
    },
    (SECONDS + 300) * 1_000,
  );
});

interface Held {
  readonly files: number;
  readonly sockets: number;
  readonly bytes: number;
  readonly inUse: number;
}

/** For whoever compares runs: a promise that holds does not tell how much room it has left. */
function say(when: string, { files, sockets, bytes, inUse }: Held): void {
  const [memory, heap] = [bytes, inUse].map((some) => Math.round(some / 1_048_576));
  process.stdout.write(
    `Soak ${when}: ${files} files, ${sockets} sockets, ${memory} MiB of memory, ${heap} MiB of heap in use.\n`,
  );
}

/** Sends so much of an answer and closes the connection. */
function cutOff({ socket }: IncomingMessage, text: string): Promise<never> {
  socket.end(text, () => socket.destroy());
  return new Promise(() => {});
}

/** What a descriptor stands for; nothing when it was closed while it was looked at. */
function targetOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}
