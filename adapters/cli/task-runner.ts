import type { Command } from 'commander';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { type Operator, operatorOf } from '../../tools/domain/organizations/operator.ts';
import { systemClock } from '../ports/clock.ts';
import { idsBy } from '../ports/ids.ts';
import { keyMaker } from '../ports/keys.ts';
import { type Config, readConfig } from '../settings/config.ts';

/** What a command works on. */
export interface Installation {
  readonly config: Config;
  readonly store: Store;
}

/** Before what is printed where everything was so already: nothing was written, and nothing logged. */
export const UNCHANGED = 'Unchanged: ';

/** Commands that say it in words of their own, also in a later line. */
const SAYS_SO = new RegExp(`^(?:${UNCHANGED}|Nothing to do)`, 'm');

/** Whether a command wrote to find that all was so already: what it changes has an entry in a log. */
function watchWrites(operator: Operator): { watched: Operator; isUnchanged(): boolean } {
  const ends = { all: 0, ofNothing: 0 };
  const watched: Operator = {
    ...operator,
    write: async (work, subject) => {
      let touched: unknown;
      const result = await operator.write(work, (done) => {
        const found = typeof subject === 'function' ? subject(done) : subject;
        // Of a transaction that is made again the last one counts.
        touched = found;
        return found;
      });
      ends.all += 1;
      ends.ofNothing += isNothing(touched) ? 1 : 0;
      return result;
    },
  };
  return { watched, isUnchanged: () => ends.all > 0 && ends.all === ends.ofNothing };
}

function isNothing(touched: unknown): boolean {
  return touched === undefined || (Array.isArray(touched) && touched.length === 0);
}

/** What a command does; it gives what is printed. */
export type Task = (operator: Operator, installation: Installation) => Promise<string>;

/** Has a command do its task on an installation that is open meanwhile, and prints what it gives. */
export type Run = (task: Task) => Promise<void>;

/** What the commands of a subject are added with. */
export interface CommandParts {
  readonly program: Command;
  readonly run: Run;
}

/** Opens the store for a command of the program, does its task, prints what it gives; the log has its `--reason`. */
export function runnerOf(program: Command): Run {
  let reason: string | undefined;
  program.hook('preAction', (_program, command) => {
    reason = command.opts<{ reason?: string }>().reason;
  });
  return async (task) => {
    const config = readConfig();
    const store = openStore(config.databaseUrl, { connections: 1 });
    try {
      await store.migrate();
      const parts = { store, clock: systemClock, ids: idsBy(systemClock), keys: keyMaker(config.brand) };
      const operator = operatorOf(parts, program.args.slice(0, 2).join(' '), reason);
      const { watched, isUnchanged } = watchWrites(operator);
      const said = await task(watched, { config, store });
      process.stdout.write(`${isUnchanged() && !SAYS_SO.test(said) ? UNCHANGED : ''}${said}\n`);
    } finally {
      await store.close();
    }
  };
}
