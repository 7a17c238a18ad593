import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { expectUnavailable, LIST, make, namesOf, writing } from '../support/buying/outage-writers.ts';
import type { Client, Reply } from '../support/callers/client.ts';
import { type Member, newMember } from '../support/callers/operator.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { faultRoundsOf, timeoutOf } from '../support/run/effort.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  killServices,
  runCommand,
  type Service,
  settingsFor,
  startService,
} from '../support/server/service.ts';

const ROUNDS = faultRoundsOf(1, 20);
const LEASE_MS = 900;
const NOBODY = { uid: 65_534, gid: 65_534 };

/** No mode of a file binds root: its service runs as somebody else. */
const user = process.getuid?.() === 0 ? NOBODY : undefined;

/** Nobody may be kept from the project where it stands, or there may be no prlimit. */
const canRun = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { cwd: packageRoot, ...user }).status === 0;
const isPossible =
  engine === 'sqlite' &&
  process.platform === 'linux' &&
  canRun('prlimit', '--fsize') &&
  canRun(process.execPath, 'dist/bundle/rialto.js', '--version');

if (engine === 'sqlite' && !isPossible) {
  process.stdout.write(
    'Files that cannot be written are left out: they want Linux, prlimit, and a user who is not root.\n',
  );
}

describe.runIf(isPossible)('a database file that its service may not write', () => {
  let made: TestDatabase;
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let service: Service;
  let member: Member;
  let buyer: Client;

  beforeAll(async () => {
    made = await freshDatabase();
    // Where another user gets to: the folder of a run is closed to all but its own.
    const folder = mkdtempSync(join(tmpdir(), 'rialto-files-'));
    copyFileSync(join(made.folder, 'test.db'), join(folder, 'test.db'));
    database = { ...made, folder, url: `file:${join(folder, 'test.db')}` };
    if (user !== undefined) for (const path of files()) chownSync(path, user.uid, user.gid);
    settings = settingsFor(database, { DATABASE_WAIT_MS: '1000', PROCESS_LEASE_MS: String(LEASE_MS) });
    await start();
  });
  afterAll(async () => {
    await killServices();
    rmSync(database.folder, { recursive: true, force: true });
    await made.drop();
  });

  const launch = () => ({ folder: database.folder, settings, ...(user === undefined ? {} : { user }) });

  async function start(): Promise<void> {
    service = await startService(launch());
    buyer = member?.at(service.url);
  }

  /** For a round: an account has room for so many and no more. */
  async function somebodyNew(): Promise<void> {
    member = await newMember(settings, 'buyer');
    buyer = member.at(service.url);
    // Another process made the key.
    await eventually(async () => expect((await buyer.get(LIST)).status).toBe(200));
  }

  /** The files, and the folder last. */
  const files = () => [
    ...readdirSync(database.folder).map((name) => join(database.folder, name)),
    database.folder,
  ];

  const closeFiles = () => {
    for (const path of files()) chmodSync(path, path === database.folder ? 0o555 : 0o444);
  };

  const openFiles = () => {
    for (const path of files().toReversed()) chmodSync(path, path === database.folder ? 0o700 : 0o600);
  };

  /** From now on the system refuses every write of the service to any file, as a full or read-only disk does. */
  const limitWrites = (bytes: '1' | 'unlimited') => {
    const { status, stderr } = spawnSync(
      'prlimit',
      ['--pid', String(service.pid), `--fsize=${bytes}:`],
      user,
    );
    if (status !== 0) throw new Error(String(stderr));
  };

  const ready = (): Promise<Reply> => buyer.send(`${service.url}/readyz`, {});

  async function expectKept(acknowledged: readonly string[]): Promise<void> {
    const kept = await namesOf(buyer);
    expect(acknowledged.filter((name) => !kept.includes(name))).toEqual([]);
    expect(new Set(kept).size).toBe(kept.length);
  }

  test(
    'because the disk takes nothing refuses writes as unavailable, is read meanwhile, and is well again at once',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await somebodyNew();
        const writers = writing(buyer, `Round ${round}`);
        await writers.someMore();
        limitWrites('1');
        await writers.someRefused();
        expectUnavailable(await make(buyer, 'Refused'));
        expect((await buyer.get(LIST)).status).toBe(200);
        await eventually(async () => expect((await ready()).status).toBe(503));
        expect((await buyer.send(`${service.url}/healthz`, {})).status).toBe(200);
        limitWrites('unlimited');
        await writers.someMore();
        await writers.end();

        await eventually(async () => expect((await ready()).status).toBe(200));
        await expectKept(writers.acknowledged);
        expect(await namesOf(buyer)).not.toContain('Refused');
      }
    },
    timeoutOf(60_000),
  );

  test(
    'by its mode goes on where it is open, keeps the next process from starting, and is served once it is given back',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await somebodyNew();
        const writers = writing(buyer, `Mode ${round}`);
        await writers.someMore();
        closeFiles();
        // The system asks for the right to a file when it is opened.
        await writers.someMore();
        await writers.end();
        expect((await buyer.get(LIST)).status).toBe(200);
        expect((await service.kill()).signal).toBe('SIGKILL');

        const refused = await runCommand('main.js', launch());
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(
          `This user (65534) may not read and write ${join(database.folder, 'test.db')}. Give it and its folder`,
        );

        openFiles();
        await start();
        await expectKept(writers.acknowledged);
        expect((await make(buyer, `After ${round}`)).status).toBe(201);
      }
    },
    timeoutOf(60_000),
  );
});
