import type { Store } from '../../store/engine/db.ts';
import { type Act, writeAudited } from './audit.ts';
import type { Actor } from './context.ts';
import { nowOf } from './moments.ts';
import type { Clock, Ids } from './ports.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

/** Somebody who acts without a call: the operator, or the service on its own account. */
export function createActor({ store, clock, ids }: Parts, deed: Omit<Act, 'now'>): Actor {
  const now = nowOf(clock);
  return {
    db: store.db,
    now,
    newId: (prefix) => ids.make(prefix),
    write: (work, subject) => writeAudited(store, { ...deed, now }, { work, subject }),
  };
}
