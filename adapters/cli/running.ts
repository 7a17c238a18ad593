import type { Store } from '../../store/engine/db.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import type { Config } from '../settings/config.ts';

/** What a command works on. */
export interface Installation {
  readonly config: Config;
  readonly store: Store;
}

/** What a command does; it gives what is printed. */
export type Task = (operator: Operator, installation: Installation) => Promise<string>;

/** Has a command do its task on an installation that is open meanwhile. */
export type Run = (task: Task) => Promise<void>;
