import { copyFileSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { type PinnedServer, startPinned } from './pinned.ts';
import { median, say, verdict } from './report.ts';
import type { Seed } from './seed.ts';
import { startFlags } from './start-flags.ts';

export const title = 'sign-in pages';

const PROMISED_MS = 30;
const PROMISED_BYTES = 30_000;
const ROUNDS = 5;
const REQUESTS = 200;
const LATE = 0.95;
/** Of the kernel: what `/proc` counts the time of the processor in. */
const TICKS_PER_SECOND = 100;

interface Page {
  readonly name: string;
  readonly path: string;
  /** Sent as its form, with nothing in the password: what stands before and after the hash, and no hash. */
  readonly form?: Readonly<Record<string, string>>;
}

const PAGES: readonly Page[] = [
  { name: 'GET /sign-in', path: '/sign-in' },
  { name: 'GET /sign-up', path: '/sign-up' },
  { name: 'GET /forgotten', path: '/forgotten' },
  {
    name: 'POST /sign-in without a hash',
    path: '/sign-in',
    form: { email: 'ada@bench.example', password: '' },
  },
];

/** The first answer of a server that has just started, then the usual one, alone and by time of the processor. */
export async function run(seed: Seed, folder: string): Promise<void> {
  const file = join(folder, 'sign-in-pages.db');
  copyFileSync(seed.file, file);
  const server = await startPinned(
    () => [...startFlags, 'dist/bundle/main.js'],
    (port) => ({ ...seed.settings, DATABASE_URL: `file:${file}`, PORT: String(port) }),
  );
  try {
    const first = await answer(server, { path: '/sign-in' });
    say(`  The first page of a fresh process, which loads what the pages need: ${first.ms.toFixed(0)} ms`);
    for (const page of PAGES) await measurePage(server, page);
    await measureBytes(server);
  } finally {
    await server.stop();
  }
}

async function measurePage(server: PinnedServer, { name, path, form }: Page): Promise<void> {
  const asked = form === undefined ? { path } : { path, ...(await filled(server, path, form)) };
  const walls: number[] = [];
  const spent: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuMs(server.pid);
    for (let count = 0; count < REQUESTS; count += 1) walls.push((await answer(server, asked)).ms);
    spent.push((cpuMs(server.pid) - before) / REQUESTS);
  }
  const late = walls.toSorted((one, other) => one - other)[Math.floor(walls.length * LATE)] ?? 0;
  const cpu = median(spent).toFixed(2);
  say(`  ${name}: ${tell(median(walls))}; 95 of 100 in ${late.toFixed(1)} ms; ${cpu} ms of the processor`);
}

function tell(ms: number): string {
  return `${ms.toFixed(2)} ms, promised ${PROMISED_MS}: ${verdict(ms <= PROMISED_MS)}`;
}

/** All that a browser without a cache is sent for the page: head and body of it and of its files. */
async function measureBytes(server: PinnedServer): Promise<void> {
  const page = await answer(server, { path: '/sign-in' });
  const files = [...page.text.matchAll(/(?:href|src)="(\/[\w./-]+\.(?:css|js|svg))"/g)].map(
    ([, path = '']) => path,
  );
  let bytes = page.bytes;
  for (const path of files) bytes += (await answer(server, { path })).bytes;
  const kept = verdict(bytes <= PROMISED_BYTES);
  say(`  Transferred, with ${files.length} files: ${bytes} bytes, promised ${PROMISED_BYTES}: ${kept}`);
}

interface Asked {
  readonly path: string;
  readonly cookie?: string;
  readonly body?: string;
}

interface Answered {
  readonly ms: number;
  readonly bytes: number;
  readonly text: string;
  readonly cookie: string;
}

/** One request on a connection of its own, until the last byte of its answer. */
function answer({ url }: PinnedServer, { path, cookie, body }: Asked): Promise<Answered> {
  const headers = {
    Connection: 'close',
    ...(cookie === undefined ? {} : { Cookie: cookie }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url }),
  };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const asked = request(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers });
    asked.once('error', reject);
    asked.once('response', (response: IncomingMessage) => {
      const { socket } = response;
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => {
        const ms = performance.now() - startedAt;
        const [set = ''] = response.headers['set-cookie'] ?? [];
        if (![200, 422].includes(response.statusCode ?? 0))
          reject(new Error(`${path}: ${response.statusCode}`));
        resolve({ ms, bytes: socket.bytesRead, text, cookie: set.split(';')[0] ?? '' });
      });
    });
    asked.end(body);
  });
}

/** What a browser sends that has the page open. */
async function filled(server: PinnedServer, path: string, form: Readonly<Record<string, string>>) {
  const { text, cookie } = await answer(server, { path });
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return { cookie, body: `${new URLSearchParams({ csrf, ...form })}` };
}

function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}
