import { vi } from 'vitest';
import { rialtoCommands } from '../../../adapters/cli/commands.ts';
import { problemInWords } from '../../../adapters/cli/problem-words.ts';

/** A command of the operator as the tree of commands has it, without what only groups others. */
export interface Leaf {
  /** Its words, such as `key list`. */
  readonly path: string;
  readonly options: readonly { readonly flag: string; readonly takesValue: boolean }[];
  /** What it takes without a flag. */
  readonly argumentNames: readonly string[];
}

type Command = ReturnType<typeof rialtoCommands>;

/** Every command there is. */
export function allCommands(): Leaf[] {
  return leavesOf(rialtoCommands(), '');
}

function leavesOf(command: Command, path: string): Leaf[] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`.trim()));
  }
  return [
    {
      path,
      options: command.options.map(({ long, required, optional }) => ({
        flag: long ?? '',
        takesValue: required || optional,
      })),
      argumentNames: command.registeredArguments.map((argument) => argument.name()),
    },
  ];
}

/** How a command ended, as `runCommand` says it of a process. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, which spares a start of Node: for many of them, one after the other. */
export async function runHere(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const caught = (stream: 'stdout' | 'stderr') => (text: unknown) => {
    said[stream] += String(text);
    return true;
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(caught('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(caught('stderr')),
  ];
  // Who finds something wrong, and goes on to its end, sets it.
  const exitBefore = process.exitCode;
  process.exitCode = undefined;
  try {
    const program = rialtoCommands();
    neverExits(program);
    await program.parseAsync([...args], { from: 'user' });
    return { code: Number(process.exitCode ?? 0), ...said };
  } catch (error) {
    // What commander found wrong it has said already.
    if (!isOfCommander(error)) said.stderr += `${problemInWords(error)}\n`;
    return { code: 1, ...said };
  } finally {
    process.exitCode = exitBefore;
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

function neverExits(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) neverExits(child);
}

function isOfCommander(error: unknown): boolean {
  return error instanceof Error && /^(?:Commander|InvalidArgument)Error$/.test(error.name);
}
