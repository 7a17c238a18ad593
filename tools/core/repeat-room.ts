import type { Scope } from '../../store/engine/scope.ts';
import { countIdempotencyKeys } from '../../store/idempotency-keys.ts';
import type { Services } from './context.ts';
import { tooManyOpen } from './errors/refusals.ts';
import { keep } from './kept.ts';

/** How long a count is believed: other processes take from the same room. */
const COUNTED_MS = 30_000;
const ACCOUNTS_MAX = 10_000;
const RETRY_SECONDS = 60;

/** How many more keys an account may have, as far as this process knows. */
interface Room {
  left: number;
  readonly until: number;
}

const rooms = new WeakMap<Services, Map<string, Room>>();

/** Makes sure that the account may have one more key: counted now and then, not with every call. */
export async function roomForKey(services: Services, scope: Scope): Promise<void> {
  const account = `${scope.organizationId} ${scope.customerId}`;
  const known = rooms.get(services) ?? new Map<string, Room>();
  rooms.set(services, known);
  const now = services.ports.clock.now();
  let room = known.get(account);
  if (room === undefined || room.left <= 0 || room.until <= now) {
    room = { left: await countedRoom(services, scope), until: now + COUNTED_MS };
    keep(known, { key: account, value: room, max: ACCOUNTS_MAX });
  }
  if (room.left <= 0) throw noRoom(services);
  room.left -= 1;
}

async function countedRoom({ store, limits }: Services, scope: Scope): Promise<number> {
  const most = limits.quotas.keysPerAccount;
  return most - (await countIdempotencyKeys(store.db, scope, most));
}

function noRoom({ limits }: Services) {
  return tooManyOpen(
    `The account has ${limits.quotas.keysPerAccount} idempotency keys in use, which is the limit.`,
    {
      suggestion: `Wait: a key is forgotten ${limits.keysKeptMs / 3_600_000} h after its use. Or call without one.`,
      retryAfter: RETRY_SECONDS,
    },
  );
}
