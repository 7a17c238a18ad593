import type { Store } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Whether lists find names by an index. On PostgreSQL that takes an extension which its owner may not have. */
export function hasIndexOfNames({ db, engine }: Store): Promise<boolean> {
  return engine.kit.hasIndexOfNames(unscoped(db), 'campaigns');
}
