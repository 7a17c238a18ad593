import { beat, forgetProcess, forgetProcesses } from '../../store/unscoped/processes.ts';
import type { Services } from '../../tools/core/context.ts';
import { momentOf, nowOf } from '../../tools/core/moments.ts';
import { completeEnded, endedBuysFollowed } from '../../tools/domain/buying/flight-ends.ts';
import { findNamedFailures } from '../../tools/domain/buying/following/named-failures.ts';
import { closeOpenCodes } from '../../tools/domain/discovery/sessions/proposal-codes.ts';
import { forgetOauth } from './oauth-retention.ts';
import { recover } from './recovery.ts';
import { forgetOld, inSteps, type Retention } from './retention.ts';
import { forgetIdleSessions } from './session-retention.ts';

/** A process says this often within its lease that it lives. */
const BEATS_A_LEASE = 3;

export interface Housekeeping {
  stop(): Promise<void>;
}

/**
 * Says every few seconds that this process lives, and takes over the work of those that do not. Each goes on by
 * itself: a process that has much to clear away lives all the same.
 */
export async function startHousekeeping(
  services: Services,
  { leaseMs, kept, keysKeptMs }: { leaseMs: number; kept: Retention; keysKeptMs: number },
): Promise<Housekeeping> {
  const followEndedBuys = endedBuysFollowed(services);
  await sayAlive(services);
  await round(services, services.store.engine.shared ? leaseMs : 'alone');
  const everyMs = leaseMs / BEATS_A_LEASE;
  const endBeats = repeat(services, everyMs, () => sayAlive(services));
  const endRounds = repeat(services, everyMs, async () => {
    await round(services, leaseMs);
    await followEndedBuys();
    await forgetOld(services, kept);
    await forgetOauth(services, keysKeptMs);
  });
  return {
    stop: async () => {
      await endRounds();
      await endBeats();
      // A stop goes on where the database is gone: once the lease runs out, others take this process for dead.
      await forgetProcess(services.store.db, services.processId).catch((err: unknown) =>
        services.log.error({ err }, 'housekeeping failed'),
      );
    },
  };
}

/** Does it again and again, a while after the last time was over, whatever came of that; gives what ends it. */
function repeat({ ports, log }: Services, everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let cancel = () => {};
  let current = Promise.resolve();
  const again = () => {
    cancel = ports.clock.after(everyMs, () => {
      current = work()
        .catch((err: unknown) => log.error({ err }, 'housekeeping failed'))
        .finally(again);
    });
  };
  again();
  return async () => {
    cancel();
    await current;
    cancel();
  };
}

function sayAlive({ store, ports, processId }: Services): Promise<void> {
  const now = nowOf(ports.clock);
  return beat(store.db, { id: processId, now, keyIds: ports.secrets.keyIds });
}

/**
 * A process not seen for the length of its lease is dead, and its work is taken over. One that is alone with
 * its database takes every other one for dead, whatever the clock said when that one was last seen.
 */
async function round(services: Services, lease: number | 'alone'): Promise<void> {
  const { store, ports, processId } = services;
  const now = ports.clock.now();
  await forgetProcesses(store.db, {
    before: lease === 'alone' ? undefined : momentOf(now - lease),
    except: processId,
  });
  await recover(services);
  await inSteps(() => findNamedFailures(services));
  await inSteps(() => completeEnded(services));
  await inSteps(() => closeOpenCodes(services));
  await forgetIdleSessions(services);
}
