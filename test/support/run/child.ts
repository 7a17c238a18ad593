import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../../adapters/settings/package-root.ts';

export interface Child {
  /** The next line it prints; what it says of its failure when it ends before. */
  line(): Promise<string>;
  send(line: string): void;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

/** Another process with the built service: a module's text, run from the root of the project. */
export function startChild(module: string, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, ['--input-type=module', '-e', module, ...args], {
    cwd: packageRoot,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const complaints = textOf(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  return {
    line: async () => {
      const { done, value } = await lines.next();
      return done === true ? `ended: ${await complaints}` : value;
    },
    send: (line) => child.stdin.write(`${line}\n`),
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
    ended,
  };
}

async function textOf({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stderr ?? []) text += String(chunk);
  return text;
}
