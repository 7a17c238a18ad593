import { createHash } from 'node:crypto';
import { createReadStream, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * A backup ends with a line that holds the digest of all before it: a byte that changed in a cell is seen by nothing
 * else. The line travels with its file, and both databases pass over what stands behind what is theirs.
 */
const MARK = '\nbackup sha256 ';
const LINE_BYTES = MARK.length + 64 + 1;

export interface Checked {
  /** How much of the file is the backup itself. */
  readonly bytes: number;
  /** Backups of earlier versions, and those that others made, have no such line. */
  readonly hasChecksum: boolean;
}

export const NO_CHECKSUM =
  'It has no checksum, as backups of earlier versions have none: whether bytes of it changed was not looked at.';

/** Puts the line at the end of a file, and the whole of it on the disk. */
export async function addChecksum(file: string): Promise<void> {
  const digest = await digestOf(file, statSync(file).size);
  await withFile(file, 'a', async (handle) => {
    await handle.write(`${MARK}${digest}\n`);
    await handle.sync();
  });
}

/** Holds a file against its line; undefined where they differ. */
export async function checkChecksum(file: string): Promise<Checked | undefined> {
  const { size } = statSync(file);
  const bytes = size - LINE_BYTES;
  const line = bytes < 0 ? '' : await withFile(file, 'r', async ({ fd }) => lineAt(fd, bytes));
  if (!line.startsWith(MARK)) return { bytes: size, hasChecksum: false };
  return line === `${MARK}${await digestOf(file, bytes)}\n` ? { bytes, hasChecksum: true } : undefined;
}

/** Takes the line off, and has the rest on the disk before anything counts on it. */
export async function cutTo(file: string, { bytes }: Checked): Promise<void> {
  await withFile(file, 'r+', async (handle) => {
    await handle.truncate(bytes);
    await handle.sync();
  });
}

function lineAt(descriptor: number, position: number): string {
  const line = Buffer.alloc(LINE_BYTES);
  readSync(descriptor, line, 0, LINE_BYTES, position);
  return line.toString('latin1');
}

async function digestOf(file: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  if (bytes > 0) await pipeline(createReadStream(file, { end: bytes - 1 }), hash);
  return hash.digest('hex');
}

async function withFile<T>(
  file: string,
  flags: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await open(file, flags);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}
