import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { openSocket } from '../support/raw-http.ts';
import { killServices, type Service, settingsFor, startService } from '../support/service.ts';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 600);
const AT_ONCE = 20;
/** What a process may have more at the end: pages of its memory are given back late. */
const MEMORY_MAX_GROWTH = 128 * 1_048_576;
const PATIENCE = { timeout: 60_000, interval: 200 };

const HOST = 'HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const page = (path: string) => `GET ${path} ${HOST}\r\n`;
const bundle = page('/docs/swagger-ui-bundle.js');

/** What callers do who mean ill or have bad luck: each is sent, and the connection cut after the first answer or none. */
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

describe.runIf(process.platform === 'linux')('a service among bad callers', () => {
  let database: TestDatabase;
  let folder: string;
  let service: Service;
  beforeAll(async () => {
    database = await freshDatabase();
    folder = mkdtempSync(join(tmpdir(), 'rialto-soak-'));
    const settings = settingsFor(database, { READER_TIMEOUT_MS: '1000' });
    service = await startService({ folder, settings });
  });
  afterAll(async () => {
    await killServices();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const openFiles = () => readdirSync(`/proc/${service.pid}/fd`).length;
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

  /** Everybody at once, and beside them readers that take nothing until they are cut. */
  async function round(): Promise<void> {
    const deaf = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => (await connect(bundle.repeat(10))).pause()),
    );
    for (const scene of Object.values(scenes)) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => play(scene)));
    }
    for (const socket of deaf) socket.destroy();
  }

  test(
    `ends where it began after ${SECONDS} seconds`,
    async () => {
      // What is loaded and kept with the first calls is no growth.
      for (const scene of [page('/'), page('/docs'), bundle, page('/openapi.json'), page('/health')]) {
        await play({ text: scene, waits: true });
      }
      const files = openFiles();
      await round();
      const bytes = memory();
      const end = performance.now() + SECONDS * 1_000;
      while (performance.now() < end) await round();

      await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(files), PATIENCE);
      expect(memory()).toBeLessThan(bytes + MEMORY_MAX_GROWTH);
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
    },
    (SECONDS + 300) * 1_000,
  );
});
