import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { listOpenChangesOf } from '../../../../store/media-buy-changes.ts';
import type { Services } from '../../../core/context.ts';
import { afterReading } from '../changes/change-outcome.ts';
import { type Changed, type Outcome, storeOutcome } from './change-storing.ts';

/**
 * What a seller shows of a buy after a change of it tells of others, too, of which nobody had heard: those that it
 * shows as they were asked for are confirmed. What else becomes of them waits for the next time that it is asked.
 */
export async function settleBeside(
  services: Services,
  { change, buy }: Changed,
  { report, write }: Pick<Outcome, 'report' | 'write'>,
): Promise<Changed> {
  if (report === undefined) return { change, buy };
  let current = buy;
  try {
    const asked = { mediaBuyId: buy.id };
    for (const other of await listOpenChangesOf(services.store.db, tenantOfRow(buy), asked)) {
      const isUnheard = other.id !== change.id && other.state === 'unknown';
      const columns = isUnheard ? afterReading(other, current, report) : undefined;
      if (columns?.state !== 'confirmed') continue;
      const settled = { change: other, buy: current };
      current = (await storeOutcome(services, settled, { columns, report, write })).buy;
    }
  } catch (err) {
    // What came of the change itself is stored, and is what was asked for.
    services.log.warn({ err, mediaBuyId: buy.id }, 'storing what came of other changes failed');
  }
  return { change, buy: current };
}
