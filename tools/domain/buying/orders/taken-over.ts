import type { Services } from '../../../core/context.ts';

/**
 * A process that sleeps longer than its lease, as with its machine, wakes amid an order or a change that another one
 * has taken over. What became of it there stands by now, and may be built on: sent once more, it could be taken by a
 * seller that has refused it since, and nobody would know of it.
 */
export class TakenOverError extends Error {
  override readonly name = 'TakenOverError';
}

/** Of its lease a process that sleeps has this part left at the least. */
const LEFT_OF_LEASE = 1 / 3;

interface Sent {
  readonly version: number;
  readonly updated_at: string;
}

/**
 * Refuses to send what somebody else has written since. Nearly always it goes out sooner than anybody could have
 * taken it over, and costs no look.
 */
export async function requireNotTakenOver(
  { ports, limits }: Pick<Services, 'ports' | 'limits'>,
  row: Sent,
  find: () => Promise<Sent | undefined>,
): Promise<void> {
  const age = ports.clock.now() - Date.parse(row.updated_at);
  if (age < limits.processLeaseMs * LEFT_OF_LEASE) return;
  if ((await find())?.version !== row.version) throw new TakenOverError();
}
