import { ACCESS_TOPIC } from '../../store/engine/news.ts';
import { stateOf } from '../../store/engine/remembered.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { unauthorized } from '../../tools/core/errors/refusals.ts';
import { unawaited } from '../../tools/core/unawaited.ts';
import type { Identify, Shown } from '../auth/identify.ts';
import { askPageAgain } from './browser-origins.ts';

/** Something that stays open after its caller was let in. */
export interface Open {
  /** The request that it came with. */
  readonly shown: Shown;
  readonly caller: Caller;
  /** Asks what was asked at the door, for what the caller is now; throws the refusal. */
  askAgain(caller: Caller): Promise<void>;
  end(why: AppError): void;
}

/** Looks after what stays open: who may not go on is told so within a second. */
export interface Watch {
  /** Gives the way to leave. */
  over(open: Open): () => void;
}

const LOOK_MS = 500;
/** A service elsewhere that did not answer is asked again after this long, while nothing changes here. */
const ASK_AGAIN_MS = 5_000;
/** Credentials that are asked about at a time. */
const AT_ONCE = 8;

interface Entry {
  readonly open: Open;
  caller: Caller;
  /** True until it was asked about once: something may have changed between the door and here. */
  isNew: boolean;
  /** Who could not be asked is left in peace until then. */
  notBefore: number;
}

/**
 * Nothing is asked while nothing changes. PostgreSQL announces a change of access (migration 0014), SQLite any
 * commit, which is looked at while something is open and not otherwise; a credential that expires is known to, and
 * one that is kept elsewhere is asked about when the word on it is believed no more.
 */
export function createWatch(services: Services, identify: Identify): Watch {
  const entries = new Set<Entry>();
  let isRunning = false;
  const start = async () => {
    if (isRunning) return;
    isRunning = true;
    while (entries.size > 0 && !services.stopping.aborted) {
      await lookAfter(services, identify, entries).catch((err: unknown) =>
        services.log.error({ err }, 'open connections could not be looked after'),
      );
    }
    isRunning = false;
  };
  return {
    over: (open) => {
      const entry = { open, caller: open.caller, isNew: true, notBefore: 0 };
      entries.add(entry);
      unawaited(start(), services.log, 'looking after open connections');
      return () => void entries.delete(entry);
    },
  };
}

async function lookAfter(services: Services, identify: Identify, entries: Set<Entry>): Promise<void> {
  const { store, ports, stopping } = services;
  const changes = ports.wake.listen(ACCESS_TOPIC);
  let state: number | undefined;
  try {
    while (entries.size > 0) {
      const signalled = await changes.next(LOOK_MS, stopping);
      if (stopping.aborted) return;
      const current = stateOf(store.db);
      const all = signalled || current !== state;
      state = current;
      const now = ports.clock.now();
      const asked = [...entries].filter((entry) => all || entry.isNew || isDue(entry, now));
      await askAbout(asked, { services, identify, entries });
    }
  } finally {
    changes.close();
  }
}

function isDue({ caller: { endsAt, believedUntil }, notBefore }: Entry, now: number): boolean {
  if (endsAt !== undefined && endsAt <= now) return true;
  return believedUntil !== undefined && Math.max(believedUntil, notBefore) <= now;
}

interface Asking {
  readonly services: Services;
  readonly identify: Identify;
  readonly entries: Set<Entry>;
}

/** Each credential once, however much it has open. */
async function askAbout(asked: readonly Entry[], asking: Asking): Promise<void> {
  const groups = new Map<string, Entry[]>();
  for (const entry of asked) {
    const { authorization, cookie } = entry.open.shown.headers;
    const credential = authorization ?? `cookie ${cookie}`;
    groups.set(credential, [...(groups.get(credential) ?? []), entry]);
  }
  const left = [...groups.values()];
  const lane = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) await askOne(next, asking);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, lane));
}

async function askOne(group: readonly Entry[], { services, identify, entries }: Asking): Promise<void> {
  const end = (entry: Entry, why: unknown) => {
    // A database that does not answer has revoked nothing.
    if (!(why instanceof AppError) || why.status >= 500) {
      services.log.warn({ err: why }, 'a credential could not be asked about');
      entry.notBefore = services.ports.clock.now() + ASK_AGAIN_MS;
      return;
    }
    entries.delete(entry);
    entry.open.end(why);
  };
  const [first] = group;
  if (first === undefined) return;
  try {
    const { method, headers } = first.open.shown;
    const caller = await identify({ method, headers, isAskedAgain: true });
    if (caller === null) throw unauthorized('This call needs a credential.');
    for (const entry of group) {
      await askEntry(services, entry, caller).catch((why: unknown) => end(entry, why));
    }
  } catch (why) {
    for (const entry of group) end(entry, why);
  }
}

async function askEntry(services: Services, entry: Entry, caller: Caller): Promise<void> {
  await askPageAgain(services, entry.open.shown, caller);
  if (reachOf(entry.caller) !== reachOf(caller)) await entry.open.askAgain(caller);
  entry.caller = caller;
  entry.isNew = false;
}

/** What of a caller decides where it may go. */
function reachOf(caller: Caller): string {
  const { kind, principal, organizationId, permissions, accounts, advertiserIds, alpha } = caller;
  return JSON.stringify([
    kind,
    principal,
    organizationId,
    [...permissions].sort(),
    accounts,
    advertiserIds,
    alpha,
  ]);
}
