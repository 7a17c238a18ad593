import type { Services } from '../../tools/core/context.ts';
import { fromNow } from '../../tools/core/moments.ts';
import { takeOverChanges } from '../../tools/domain/buying/following/change-take-over.ts';
import { takeOverOrders } from '../../tools/domain/buying/following/take-over.ts';
import { completeAbandoned } from '../../tools/domain/discovery/asking/take-over.ts';
import { endInterrupted } from '../webhooks/delivery.ts';

/** Takes over what a process left under way: one that died, or one that failed to write how it ended. */
export async function recover(services: Services): Promise<void> {
  // What a process takes over while it stops, it leaves to the next one again, and less is known of it then.
  if (services.stopping.aborted) return;
  // What is still open so long after its end was due has been forgotten by its own process.
  const { takeoverAfterMs } = services.limits;
  const overdueAfter = (milliseconds: number) =>
    fromNow(services.ports.clock, -milliseconds - takeoverAfterMs);
  await endInterrupted(services);
  await completeAbandoned(services, overdueAfter);
  await takeOverOrders(services, overdueAfter);
  await takeOverChanges(services, overdueAfter);
}
