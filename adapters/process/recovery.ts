import type { Services } from '../../tools/core/context.ts';
import { takeOverChanges } from '../../tools/domain/buying/change-take-over.ts';
import { takeOverOrders } from '../../tools/domain/buying/take-over.ts';
import { completeAbandoned } from '../../tools/domain/discovery/take-over.ts';
import { endInterrupted } from '../webhooks/delivery.ts';

/** What is still open this long after its end was due has been forgotten by its own process. */
const OVERDUE_MS = 60_000;

/** Takes over what a process left under way: one that died, or one that failed to write how it ended. */
export async function recover(services: Services): Promise<void> {
  const overdueAfter = (milliseconds: number) =>
    new Date(services.ports.clock.now() - milliseconds - OVERDUE_MS).toISOString();
  await endInterrupted(services);
  await completeAbandoned(services, overdueAfter);
  await takeOverOrders(services, overdueAfter);
  await takeOverChanges(services, overdueAfter);
}
