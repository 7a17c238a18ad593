import { beat, forgetProcess, forgetProcesses } from '../store/processes.ts';
import type { Services } from '../tools/context.ts';

const BEAT_EVERY_MS = 5_000;
/** A process not seen for this long is dead: its work is taken over. */
const DEAD_AFTER_MS = 15_000;

export interface Housekeeping {
  stop(): Promise<void>;
}

/** Says every few seconds that this process lives, and takes over the work of those that do not. */
export async function startHousekeeping(services: Services): Promise<Housekeeping> {
  const { clock } = services.ports;
  await round(services, true);
  let cancel = () => {};
  let current = Promise.resolve();
  const again = () => {
    cancel = clock.after(BEAT_EVERY_MS, () => {
      current = round(services, false).catch((err: unknown) => {
        services.log.error({ err }, 'housekeeping failed');
      });
      again();
    });
  };
  again();
  return {
    stop: async () => {
      cancel();
      await current;
      await forgetProcess(services.store.db, services.processId);
    },
  };
}

async function round(services: Services, first: boolean): Promise<void> {
  const { store, ports, processId } = services;
  const now = ports.clock.now();
  // Where one process alone may serve the database, every other one on the list is dead already.
  const alone = first && !store.engine.shared;
  await forgetProcesses(store.db, new Date(alone ? now + 1 : now - DEAD_AFTER_MS).toISOString());
  await beat(store.db, { id: processId, now: new Date(now).toISOString() });
}
