import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/support/run/free-port.ts';

const SERVER_CORE = '0';
const LOAD_CORE = '1';
const READY_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Whether server and load can each have a core of their own. */
export const canPin = availableParallelism() > 1 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A command line, on one core where that can be. */
export function onCore(core: 'server' | 'load', args: readonly string[]): [string, string[]] {
  const command = [process.execPath, ...args];
  const pinned = ['taskset', '-c', core === 'server' ? SERVER_CORE : LOAD_CORE, ...command];
  const [first = '', ...rest] = canPin ? pinned : command;
  return [first, rest];
}

export interface PinnedServer {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

/** Starts a server on a core and waits for its first answer. `args` is told the port. */
export async function startPinned(
  args: (port: number) => readonly string[],
  env: (port: number) => Readonly<Record<string, string>> = () => ({}),
  core: 'server' | 'load' = 'server',
): Promise<PinnedServer> {
  const port = await freePort();
  const output = nobodysFile();
  const startedAt = performance.now();
  const [command, rest] = onCore(core, args(port));
  const child = spawn(command, rest, {
    env: { ...process.env, ...env(port) },
    stdio: ['ignore', output, 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(url, child);
  const readyMs = performance.now() - startedAt;
  return { url, pid: child.pid ?? 0, readyMs, stop: () => end(child) };
}

/** A file to write a log to, as a service does, that nobody reads: it has no name, and goes with its writer. */
function nobodysFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  const file = openSync(join(folder, 'output.log'), 'a');
  rmSync(folder, { recursive: true });
  return file;
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  while (performance.now() < until && child.exitCode === null) {
    const answered = await fetch(`${url}/health`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error(`The server at ${url} did not answer.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  await over;
}
