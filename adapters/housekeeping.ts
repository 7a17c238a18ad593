import { expireMcpSessions } from '../store/mcp-sessions.ts';
import { beat, forgetProcess, forgetProcesses } from '../store/processes.ts';
import type { Services } from '../tools/context.ts';
import { recover } from './outbound/recovery.ts';

const BEAT_EVERY_MS = 5_000;
/** A process not seen for this long is dead: its work is taken over. */
const DEAD_AFTER_MS = 15_000;
/** A session of MCP that nobody used for this long is over. */
const SESSION_IDLE_MS = 24 * 3_600_000;

export interface Housekeeping {
  stop(): Promise<void>;
}

/** Says every few seconds that this process lives, and takes over the work of those that do not. */
export async function startHousekeeping(services: Services): Promise<Housekeeping> {
  const { clock } = services.ports;
  await round(services, !services.store.engine.shared);
  let cancel = () => {};
  let current = Promise.resolve();
  const again = () => {
    cancel = clock.after(BEAT_EVERY_MS, () => {
      current = round(services, false)
        .catch((err: unknown) => services.log.error({ err }, 'housekeeping failed'))
        .finally(again);
    });
  };
  again();
  return {
    stop: async () => {
      cancel();
      await current;
      cancel();
      await forgetProcess(services.store.db, services.processId);
    },
  };
}

/** `alone`: this process is the only one there can be, and every other one on the list is dead. */
async function round(services: Services, alone: boolean): Promise<void> {
  const { store, ports, processId } = services;
  const now = ports.clock.now();
  const moment = (milliseconds: number) => new Date(milliseconds).toISOString();
  await forgetProcesses(store.db, {
    before: moment(alone ? now + 1 : now - DEAD_AFTER_MS),
    except: processId,
  });
  await beat(store.db, { id: processId, now: moment(now) });
  await recover(services);
  await expireMcpSessions(store.db, moment(now - SESSION_IDLE_MS));
}
