import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../run/free-port.ts';

const INSTALLED = '/usr/lib/postgresql';

/** A database server that nobody else uses, so that it can be stopped. */
export interface OwnPostgres {
  readonly url: string;
  /** As an administrator stops it: no call is waited for. */
  stop(): Promise<void>;
  /** As a crash of one of its processes does: what is under way is lost, and the log is read at the next start. */
  crash(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Where the programs of the newest installed version are; undefined where there are none. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  const folders = readdirSync(INSTALLED).map((version) => join(INSTALLED, version, 'bin'));
  return folders.toSorted().findLast((folder) => existsSync(join(folder, 'initdb')));
}

export async function newPostgres(programs: string): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-postgres-'));
  const user = unprivileged();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const run = async (program: string, ...args: readonly string[]) => {
    // Without pipes: a server that held one of its starter's would keep it waiting.
    const child = spawn(join(programs, program), args, { ...user, cwd: folder, stdio: 'ignore' });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}.`);
  };
  const port = await freePort();
  // Its processes are stopped, the machine is not: what they wrote need not be on the disk.
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
  const control = (...args: readonly string[]) => run('pg_ctl', '-D', data, '-w', ...args);
  const start = () => control('-l', join(folder, 'log'), '-o', options, 'start');
  await run('initdb', '--no-sync', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-locale', '-E', 'UTF8');
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => control('-m', 'fast', 'stop'),
    crash: () => control('-m', 'immediate', 'stop'),
    start,
    remove: async () => {
      if (existsSync(join(data, 'postmaster.pid'))) await control('-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It refuses to be run by root: the user that its package made is there for that. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: number('-u'), gid: number('-g') };
}
