import { chmodSync, closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FOLDER_MODE, makeFolder } from './folders.ts';

/** Readable by the user of the service alone: a database holds briefs, tenants and hashes. */
const FILE_MODE = 0o600;
const OTHERS = 0o077;
/** What stands beside a database of this name; the key that encrypts what is in it, and the one to try it with. */
const ENDINGS = ['', '-wal', '-shm', '-journal', '.lock', '.lock-journal'];
const BESIDE = ['secrets.key', 'sandbox.key'];

/**
 * Makes the file of a database and its folder, or narrows those that are there, so that no other user of the
 * machine reads them. SQLite gives the files beside it the mode of the database. A folder that holds anything
 * else is not ours to close.
 */
export function keepPrivate(path: string): void {
  makePrivate(path);
  const folder = dirname(resolve(path));
  const own = new Set([...ENDINGS.map((ending) => `${basename(path)}${ending}`), ...BESIDE]);
  for (const name of own) narrow(join(folder, name), FILE_MODE);
  if (readdirSync(folder).every((name) => own.has(name))) narrow(folder, FOLDER_MODE);
}

/**
 * The log of a database that is gone itself: whoever opened a new one at its place would have SQLite throw it away,
 * with all that was written and not yet in the file.
 */
export function logAlone(path: string): { said: string; remedy: string } | undefined {
  const log = `${path}-wal`;
  if (sizeOf(path) > 0 || sizeOf(log) === 0) return undefined;
  return {
    said: `The database ${path} is gone, and ${log} has what was written to it last.`,
    remedy: 'Put the database back beside it, or restore a backup: what is there is moved aside then.',
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Makes a file that this user alone reads, or narrows it; its folder is somebody else's unless it is made here. */
export function makePrivate(path: string): void {
  makeFolder(dirname(resolve(path)));
  closeSync(openSync(path, 'a', FILE_MODE));
  narrow(path, FILE_MODE);
}

/** Another user's file stays as that user wants it. */
function narrow(path: string, mode: number): void {
  if (!existsSync(path)) return;
  const { mode: present, uid } = statSync(path);
  if ((present & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(path, mode);
}
