import {
  addRefusedSignIn,
  type RefusedKind,
  type RefusedSignIn,
} from '../../store/unscoped/refused-sign-ins.ts';
import type { Services } from '../../tools/core/context.ts';
import { HOUR_MS, momentOf } from '../../tools/core/moments.ts';
import { unawaited } from '../../tools/core/unawaited.ts';

/** How long a count waits to be written with others. */
const WRITE_AFTER_MS = 5_000;
/** Rows that one process makes in an hour, for known holders and for nobody each: a flood fills no disk. */
const ROWS_MAX = 500;
/** Rows that wait while a database is gone for hours; then the oldest are lost. */
const HELD_MAX = 2_000;

export interface Refused {
  readonly kind: RefusedKind;
  readonly network: string;
  /** Whose it would have been; left out where nobody knows. */
  readonly subject?: string | undefined;
}

/** Counts credentials that were refused, by the hour, and writes the counts down. */
export interface RefusedSignIns {
  note(refused: Refused): void;
  /** Writes what was counted since the last time. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

type Pending = RefusedSignIn;

/**
 * What is beyond the room of an hour is counted together, without its network: attacks on known holders keep theirs.
 */
export function countRefusedSignIns({ store, ports, log }: Services): RefusedSignIns {
  const { clock } = ports;
  /** Of the hour that runs, each with what is still to be written. */
  const groups = new Map<string, Pending>();
  const rows = { known: 0, unknown: 0 };
  let hour = '';
  let cancel: (() => void) | undefined;
  let writing = Promise.resolve();
  const writeAll = async () => {
    for (const group of [...groups.values()].filter(({ count }) => count > 0)) {
      const row = { ...group };
      await addRefusedSignIn(store.db, row);
      // What could not be written is written with the next.
      group.count -= row.count;
    }
  };
  const write = () => {
    cancel?.();
    cancel = undefined;
    writing = writing.catch(() => {}).then(writeAll);
    return writing;
  };
  const writeSafely = () =>
    write().catch((err: unknown) => log.error({ err }, 'refused sign-ins could not be written'));
  const begin = (now: string) => {
    hour = now;
    for (const [key, { count }] of groups) if (count === 0 || groups.size > HELD_MAX) groups.delete(key);
    rows.known = 0;
    rows.unknown = 0;
  };
  /** The row that it is counted in: its own, while there is room. */
  const groupOf = ({ kind, network, subject = '' }: Refused): Pending => {
    const side = subject === '' ? 'unknown' : 'known';
    const own = { kind, subject, network };
    const isOwn = groups.has(keyOf(hour, own)) || rows[side] < ROWS_MAX;
    const place = isOwn ? own : { kind, subject: '', network: '' };
    const key = keyOf(hour, place);
    const present = groups.get(key);
    if (present !== undefined) return present;
    const made = { ...place, hour, count: 0, last_at: '' };
    groups.set(key, made);
    rows[side] += 1;
    return made;
  };
  return {
    note: (refused) => {
      ports.tally.authFailed(refused.kind);
      const now = clock.now();
      const current = momentOf(now - (now % HOUR_MS));
      if (current !== hour) begin(current);
      const group = groupOf(refused);
      group.count += 1;
      group.last_at = momentOf(now);
      cancel ??= clock.after(WRITE_AFTER_MS, () => unawaited(writeSafely(), log, 'writing refused sign-ins'));
    },
    write,
    stop: writeSafely,
  };
}

function keyOf(
  hour: string,
  { kind, subject, network }: Pick<Pending, 'kind' | 'subject' | 'network'>,
): string {
  return [hour, kind, subject, network].join(' ');
}
