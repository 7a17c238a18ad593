import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import { openSocket } from '../support/server/raw-http.ts';
import { killServices, settingsFor, startService } from '../support/server/service.ts';

const CALLERS = 25;
const REQUESTS = 20;
const CONNECTIONS = 2;
const FILES = [
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui.css',
  '/docs/docs.js',
  '/style.css',
  '/docs',
  '/',
];

let database: TestDatabase;
let folder: string;
afterEach(async () => {
  await killServices();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Only Linux shows what a process has open. */
test.runIf(process.platform === 'linux')(
  'callers who ask for files behind each other and leave make the service hold none of them open',
  async () => {
    database = await freshDatabase();
    folder = mkdtempSync(join(tmpdir(), 'rialto-files-'));
    const service = await startService({
      folder,
      settings: settingsFor(database, { DATABASE_CONNECTIONS: String(CONNECTIONS) }),
    });
    const openFiles = () => readdirSync(`/proc/${service.pid}/fd`).length;
    const attack = async () => {
      const text = Array.from(
        { length: REQUESTS },
        (_, index) => `GET ${FILES[index % FILES.length]} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
      ).join('');
      await Promise.all(
        Array.from({ length: CALLERS }, async () => {
          const socket = await openSocket(service.url);
          socket.on('error', () => {});
          const answered = new Promise((resolve) => socket.once('data', resolve));
          socket.write(text);
          await answered;
          socket.destroy();
        }),
      );
    };
    // What is loaded with the first page stays.
    for (const file of FILES)
      await (await fetch(`${service.url}${file}`, { headers: { connection: 'close' } })).text();
    const before = openFiles();

    await attack();
    await attack();

    // The service opens a connection to its database when it needs one, whoever calls.
    await eventually(() => expect(openFiles()).toBeLessThanOrEqual(before + CONNECTIONS));
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
  },
);
