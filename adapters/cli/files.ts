import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** The files that the operator names: what is wrong with one is said of it, and never of the database. */

/** Reads the file of an option or argument. */
export function readGiven(name: string, file: string): string {
  const path = requireFile(name, file);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unread(name, path, error);
  }
}

/** Makes sure that there is a file to be read, and gives its whole path. */
export function requireFile(name: string, file: string): string {
  const path = resolve(file);
  try {
    if (!statSync(path).isFile()) throw new Error(`${name}: ${path} is no file. Name one.`);
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw unread(name, path, error);
  }
  return path;
}

/** Whether a file begins so; what its kind is, its first letters say. */
export function beginsWith(path: string, letters: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const head = Buffer.alloc(letters.length);
    readSync(descriptor, head, 0, letters.length, 0);
    return head.toString('latin1') === letters;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads such a file as JSON. */
export function readGivenJson(name: string, file: string): unknown {
  const text = readGiven(name, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: ${resolve(file)} is no JSON (${messageOf(error)}). Correct it.`, {
      cause: error,
    });
  }
}

/** The code by which the system or the database says what went wrong; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function unread(name: string, path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === 'ENOENT') return new Error(`${name}: there is no file ${path}. Name one that is there.`);
  if (code === 'EACCES' || code === 'EPERM')
    return new Error(`${name}: this user may not read ${path}. Let this user read it and its folder.`);
  return new Error(`${name}: ${path} cannot be read (${code}). Name a file that can.`);
}

/** Why a file cannot be written that a command makes; the error itself where it is of something else. */
export function unwritten(name: string, path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (/^(ENOSPC|EDQUOT)$|^SQLITE_FULL/.test(code))
    return new Error(`${name}: there is no room for ${path}. Make some, or name a file on another disk.`);
  if (!/^E[A-Z]+$/.test(code)) return error;
  return new Error(
    `${name}: ${path} cannot be written (${code}). Name a file in a folder in which this user may write.`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
