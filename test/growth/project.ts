import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Files } from './subject.ts';

const MODULES = 'node_modules';

/**
 * Copies what is under version control into an empty folder, with the packages and under version control of its
 * own, so that it tells what was changed since. Times are kept: packages are as old as they are.
 */
export function copyProject(from: string, to: string): void {
  const files = git(from, 'ls-files', '--cached', '--others', '--exclude-standard', '-z');
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(from, file), join(to, file), { preserveTimestamps: true });
  }
  linkTree(join(from, MODULES), join(to, MODULES));
  git(to, 'init', '--quiet');
  git(to, 'add', '--all');
  git(to, ...AUTHOR, 'commit', '--quiet', '--no-verify', '--message', 'chore: copy the project');
}

const AUTHOR = [
  '-c',
  'user.name=Growth',
  '-c',
  'user.email=growth@example.com',
  '-c',
  'commit.gpgsign=false',
];

/** The files that were changed or made since the copy. */
export function changedFiles(root: string): string[] {
  const lines = git(root, 'status', '--porcelain', '--untracked-files=all', '-z').split('\0');
  return lines
    .filter(Boolean)
    .map((line) => line.slice(3))
    .sort();
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
}

export function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The same tree with the same files in it: a link to the folder itself is refused where packages are due. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.isDirectory()) linkFile(source, target);
    // What tools keep there for themselves is written to, and would be written to in both.
    else if (!/^\.(vite|cache)/.test(entry.name)) linkTree(source, target);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another disk, or one without links.
    copyFileSync(from, to);
  }
}

export interface Ended {
  readonly code: number | null;
  /** The end of what it printed. */
  readonly printed: string;
}

const PRINTED_MAX = 20_000;

/** Runs a command in a project, as if nobody tested around it. */
export async function runIn(root: string, command: string, env: Readonly<Record<string, string>> = {}) {
  const [name = '', ...args] = command.split(' ');
  const child = spawn(name, args, {
    cwd: root,
    env: { ...ownEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (text: Buffer) => {
    printed = `${printed}${text}`.slice(-PRINTED_MAX);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [code]: (number | null)[] = await once(child, 'close');
  return { code: code ?? null, printed } satisfies Ended;
}

/** The environment without what this run of the tests, and npm around it, put there. */
function ownEnvironment(): Record<string, string | undefined> {
  const ours = /^(TEST_(?!DATABASE_URL)|VITEST|npm_|NODE_ENV$|NODE_OPTIONS$|FUZZ_CASES$|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
