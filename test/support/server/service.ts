import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestDatabase } from '../database/database.ts';

/** What `npm start` and `npm run rialto` run. */
const BUNDLE = join(import.meta.dirname, '..', '..', '..', 'dist', 'bundle');

/** How a process of ours came to its end. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Service {
  readonly url: string;
  readonly pid: number;
  readonly ended: Promise<Ending>;
  /** What it has printed so far. */
  output(): string;
  /** Resolves once it has printed this; fails when it ends without. */
  says(words: string): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ends it on the spot, as a power cut would, and waits until it is gone. */
  kill(): Promise<Ending>;
}

const running = new Set<ChildProcess>();

/** Ends whatever a test left running: for `afterEach`. */
export async function killServices(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      child.kill('SIGKILL');
      await once(child, 'close');
    }),
  );
}

/** Settings for a process with a database of its own, and a port that is free. */
export function settingsFor(database: TestDatabase, settings: Readonly<Record<string, string>> = {}) {
  return {
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: '4',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    RATE_LIMIT_STANDARD: '1000000',
    PROCESS_LEASE_MS: '900',
    SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
    SELLER_ALLOWED_ORGANIZATIONS: '*',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    // What the machine is late with besides is no matter of a test, but where one says so.
    OVERLOAD_DELAY_MS: '0',
    ...settings,
  };
}

interface Launch {
  /** Where it runs: nothing of ours is read from there. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Options of Node's own. */
  readonly node?: readonly string[];
  /** Who runs it, where that is not whoever runs the tests. */
  readonly user?: User;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

interface Start extends Launch {
  /** What is started in place of the service itself. */
  readonly script?: string;
  /** What it prints once it is ready. */
  readonly ready?: string;
}

function launch(script: string, { folder, settings, args = [], node = [], user }: Launch) {
  const child = spawn(process.execPath, [...node, join(BUNDLE, script), ...args], {
    cwd: folder,
    // Only what is given: the settings of whoever runs the tests stay out.
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
      for (const check of waiting) check();
    });
  }
  const ended = once(child, 'close').then(([code, signal]): Ending => {
    running.delete(child);
    for (const check of waiting) check();
    return { code, signal, ...printed };
  });
  return { child, printed, waiting, ended };
}

/** Runs one of our commands to its end. */
export function runCommand(script: string, given: Launch): Promise<Ending> {
  return launch(script, given).ended;
}

/** Starts the service as a process of its own and waits until it is ready. */
export async function startService(given: Start): Promise<Service> {
  const { script = 'main.js', ready = '"msg":"ready"' } = given;
  const { child, printed, waiting, ended } = launch(script, given);
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        const said = printed.stdout.includes(words);
        if (!said && running.has(child)) return;
        waiting.delete(check);
        if (said) resolve();
        else reject(new Error(`It ended without saying ${words}:\n${printed.stdout}${printed.stderr}`));
      };
      waiting.add(check);
      check();
    });
  await says(ready);
  const [, url = ''] = /"url":"([^"]+)","msg":"ready"/.exec(printed.stdout) ?? [];
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    says,
    output: () => printed.stdout + printed.stderr,
    signal: (signal) => void child.kill(signal),
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
