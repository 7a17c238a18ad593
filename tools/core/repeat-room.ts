import type { Scope } from '../../store/engine/scope.ts';
import { countIdempotencyKeys, SMALL_ANSWER_BYTES } from '../../store/idempotency-keys.ts';
import { keep } from './bounded-map.ts';
import type { Services } from './context.ts';
import { tooManyOpen } from './errors/refusals.ts';
import { HOUR_MS } from './moments.ts';
import { ofProcess } from './of-process.ts';

/** How long a count is believed: other processes take from the same room. */
const COUNTED_MS = 30_000;
const ACCOUNTS_MAX = 10_000;
const RETRY_SECONDS = 60;

/** How many more keys an account may have, and bytes of their answers, as far as this process knows. */
export interface RoomForKeys {
  left: number;
  bytes: number;
  readonly until: number;
}

const roomsOf = ofProcess(() => new Map<string, RoomForKeys>());

/** Makes sure that the account may have one more key: counted now and then, not with every call. */
export async function roomForKey(services: Services, scope: Scope): Promise<RoomForKeys> {
  const account = `${scope.organizationId} ${scope.customerId}`;
  const known = roomsOf(services);
  const now = services.ports.clock.now();
  let room = known.get(account);
  if (room === undefined || room.left <= 0 || room.until <= now) {
    room = { ...(await countedRoom(services, scope)), until: now + COUNTED_MS };
    keep(known, { key: account, value: room, max: ACCOUNTS_MAX });
  }
  if (room.left <= 0) throw noRoom(services);
  room.left -= 1;
  return room;
}

async function countedRoom({ store, limits }: Services, scope: Scope) {
  const { keysPerAccount, answerBytesPerAccount } = limits.quotas;
  const { keys, bytes } = await countIdempotencyKeys(store.db, scope, keysPerAccount);
  return { left: keysPerAccount - keys, bytes: answerBytesPerAccount - bytes };
}

/** Whether the account may keep an answer of so many bytes; what it keeps takes of its room. */
export function mayKeep(room: RoomForKeys, bytes: number): boolean {
  const counted = Math.max(bytes, SMALL_ANSWER_BYTES);
  if (room.bytes < counted) return false;
  room.bytes -= counted;
  return true;
}

function noRoom({ limits, ports }: Services) {
  ports.tally.limited('idempotency_keys');
  return tooManyOpen(
    `The account has ${limits.quotas.keysPerAccount} idempotency keys in use, which is the limit.`,
    {
      suggestion: `Wait: a key is forgotten ${limits.keysKeptMs / HOUR_MS} h after its use. Or call without one.`,
      retryAfter: RETRY_SECONDS,
    },
  );
}
