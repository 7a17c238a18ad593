import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onCore } from './pinned.ts';

/** A helper process on the core of the load. */
export interface Child {
  /** The first line that it printed. */
  readonly said: string;
  stop(): Promise<void>;
}

/** Starts a program of the bench and waits for its first line. */
export async function startChild(args: readonly string[]): Promise<Child> {
  const [command, rest] = onCore('load', args);
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  return { said: await firstLine(child), stop: () => end(child) };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const [line, ...more] = text.split('\n');
    if (more.length > 0 && line !== undefined) return line;
  }
  throw new Error('It ended without a word.');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
}
