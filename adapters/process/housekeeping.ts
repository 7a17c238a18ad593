import { beat, forgetProcess, forgetProcesses } from '../../store/processes.ts';
import type { Services } from '../../tools/core/context.ts';
import { completeEnded } from '../../tools/domain/buying/flight-ends.ts';
import { closeOpenCodes } from '../../tools/domain/discovery/proposal-codes.ts';
import { forgetOauth } from './oauth-retention.ts';
import { recover } from './recovery.ts';
import { forgetOld, inSteps, type Retention } from './retention.ts';
import { forgetIdleSessions } from './session-retention.ts';

/** A process says this often within its lease that it lives. */
const BEATS_A_LEASE = 3;

export interface Housekeeping {
  stop(): Promise<void>;
}

/** Says every few seconds that this process lives, and takes over the work of those that do not. */
export async function startHousekeeping(
  services: Services,
  { leaseMs, kept, keysKeptMs }: { leaseMs: number; kept: Retention; keysKeptMs: number },
): Promise<Housekeeping> {
  const { clock } = services.ports;
  await round(services, services.store.engine.shared ? leaseMs : 'alone');
  let cancel = () => {};
  let current = Promise.resolve();
  const again = () => {
    cancel = clock.after(leaseMs / BEATS_A_LEASE, () => {
      current = round(services, leaseMs)
        .then(() => forgetOld(services, kept))
        .then(() => forgetOauth(services, keysKeptMs))
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
      // A stop goes on where the database is gone: once the lease runs out, others take this process for dead.
      await forgetProcess(services.store.db, services.processId).catch((err: unknown) =>
        services.log.error({ err }, 'housekeeping failed'),
      );
    },
  };
}

/**
 * A process not seen for the length of its lease is dead, and its work is taken over. One that is alone with
 * its database takes every other one for dead, whatever the clock said when that one was last seen.
 */
async function round(services: Services, lease: number | 'alone'): Promise<void> {
  const { store, ports, processId } = services;
  const now = ports.clock.now();
  const moment = (milliseconds: number) => new Date(milliseconds).toISOString();
  await forgetProcesses(store.db, {
    before: lease === 'alone' ? undefined : moment(now - lease),
    except: processId,
  });
  await beat(store.db, { id: processId, now: moment(now), keyIds: ports.secrets.keyIds });
  await recover(services);
  await inSteps(() => completeEnded(services));
  await inSteps(() => closeOpenCodes(services));
  await forgetIdleSessions(services);
}
