import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  bringBackAttached,
  forgetAuditLogs,
  purgeRemoved,
  removeSessions,
} from '../../store/unscoped/retention.ts';
import type { Services } from '../../tools/core/context.ts';

const DAY_MS = 86_400_000;
/** Steps of one round of housekeeping; what is left waits for the next. */
const STEPS = 100;
/** Calls that found a session before it was out of sight have long ended by then. */
const OUT_OF_SIGHT_MS = 60_000;

export interface Retention {
  readonly discoveryDays: number;
  readonly auditDays: number;
}

/** Forgets what has been kept for long enough, in steps between which others have their turn. */
export async function forgetOld({ store, ports }: Services, kept: Retention): Promise<void> {
  const { db } = store;
  const now = ports.clock.now();
  const moment = (milliseconds: number) => new Date(milliseconds).toISOString();
  await bringBackAttached(db);
  await inSteps(async () => {
    const before = moment(now - kept.discoveryDays * DAY_MS);
    return (await removeSessions(db, { before, now: moment(now) })) > 0;
  });
  await inSteps(() => purgeRemoved(db, moment(now - OUT_OF_SIGHT_MS)));
  await inSteps(async () => (await forgetAuditLogs(db, moment(now - kept.auditDays * DAY_MS))) > 0);
}

async function inSteps(step: () => Promise<boolean>): Promise<void> {
  for (let done = 0; done < STEPS && (await step()); done += 1) await nextTurn();
}
