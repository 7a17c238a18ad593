import type { Sealed } from '../../store/engine/codec.ts';
import { listKeysServed } from '../../store/unscoped/processes.ts';
import type { Services } from '../../tools/core/context.ts';
import { momentOf } from '../../tools/core/moments.ts';
import { keyIdIn } from '../ports/secrets.ts';

/** Processes come and go, and say every few seconds that they live. */
const KNOWN_FOR_MS = 1_000;

/** What this process cannot sign, and another one that lives can. */
export interface LeftToOthers {
  /** The secrets keys that others open with and this process does not, as of a second ago. */
  keys(): Promise<readonly string[]>;
  /** Whether this secret is one of those, as of now. */
  includes(secret: Sealed): Promise<boolean>;
}

export function leftToOthers({ store, ports, limits, processId }: Services): LeftToOthers {
  let known: readonly string[] = [];
  let until = 0;
  const look = async (): Promise<readonly string[]> => {
    const now = ports.clock.now();
    const since = momentOf(now - limits.takeoverAfterMs);
    const served = await listKeysServed(store.db, { since, except: processId });
    known = served.filter((id) => id !== '' && !ports.secrets.keyIds.includes(id));
    until = now + KNOWN_FOR_MS;
    return known;
  };
  return {
    keys: async () => (ports.clock.now() < until ? known : look()),
    includes: async (secret) => (await look()).includes(keyIdIn(secret)),
  };
}
