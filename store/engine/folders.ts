import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** What stands in them, such as tenants, mails and keys, is for the user of the service alone. */
export const FOLDER_MODE = 0o700;

/**
 * Makes a folder, and those above it that are not there. Node’s own `recursive` takes every ENOENT for a folder above
 * that is missing, and asks for ever where the system itself makes none, as below /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: FOLDER_MODE });
  } catch (error) {
    // Another process that made it at the same moment has done what was wanted.
    if (!existsSync(path)) throw error;
  }
}
