import type { Services } from '../../core/context.ts';

/** Once is bad luck. */
const TIMES = 2;
/** For so long a seller is remembered for having been late. */
const REMEMBERED_MS = 600_000;
const SELLERS_MAX = 10_000;

interface Late {
  readonly times: number;
  readonly until: number;
}

const known = new WeakMap<Services, Map<string, Late>>();

function sellersOf(services: Services): Map<string, Late> {
  const late = known.get(services) ?? new Map<string, Late>();
  known.set(services, late);
  return late;
}

/** Remembers, in this process alone, whether a seller answered in its time. */
export function noteAnswer(services: Services, agentId: string, inTime: boolean): void {
  const late = sellersOf(services);
  const { times } = late.get(agentId) ?? { times: 0 };
  late.delete(agentId);
  if (inTime) return;
  const [oldest] = late.keys();
  if (late.size >= SELLERS_MAX && oldest !== undefined) late.delete(oldest);
  late.set(agentId, { times: times + 1, until: services.ports.clock.now() + REMEMBERED_MS });
}

/** Whether a seller let its time run out again and again, lately. */
export function isKnownLate(services: Services, agentId: string): boolean {
  const late = sellersOf(services).get(agentId);
  return late !== undefined && late.times >= TIMES && late.until > services.ports.clock.now();
}
