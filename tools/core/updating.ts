import type { Db } from '../../store/engine/db.ts';
import type { AuditSubject } from './audit.ts';
import { changesBetween } from './changes.ts';
import type { Context } from './context.ts';
import { staleWrite } from './errors/refusals.ts';
import type { Kind } from './kinds.ts';

/** Columns as a caller gave them: undefined leaves one as it is, null clears it. */
export type Given<R> = { readonly [K in keyof R]?: R[K] | undefined };

/** The columns whose value would be another one. */
export function differing<R extends object>(found: R, given: Given<R>): Partial<R> {
  const set: Partial<R> = {};
  for (const column in given) {
    const value = given[column];
    if (value !== undefined && value !== found[column]) set[column] = value;
  }
  return set;
}

interface Telling<R> {
  readonly kind: Kind;
  /** The row as readers see it: what the log compares. */
  record(row: R): Readonly<Record<string, unknown>>;
  about(row: R): AuditSubject;
}

interface Updating<R> extends Telling<R> {
  readonly found: R;
  readonly given: Given<R>;
  /** Writes the columns; undefined when somebody else wrote first. */
  update(tx: Db, set: Partial<R>): Promise<R | undefined>;
}

interface UpdatingHeld<R> extends Telling<R> {
  /** Holds the row for this transaction and gives it as it is now; undefined when it is gone. */
  hold(tx: Db): Promise<R | undefined>;
  /** What becomes of the row: given as it is while nobody else can write it. */
  given(before: R): Given<R>;
  /** Writes the columns and the version of the row. */
  update(tx: Db, set: Partial<R>, version: number): Promise<R | undefined>;
}

/**
 * The steps that every update takes: what differs is written, if nobody wrote in between, and the log tells
 * from what to what. An update that changes nothing is answered, and neither written nor logged.
 */
export function writeUpdate<R extends object>(ctx: Context, updating: Updating<R>): Promise<R> {
  const { kind, found, given, update, record, about } = updating;
  const set = differing(found, given);
  if (Object.keys(set).length === 0) return Promise.resolve(ctx.leaves(found));
  return ctx.write(
    async (tx) => {
      const written = await update(tx, set);
      if (written === undefined) throw staleWrite(kind);
      return ctx.leaves(written);
    },
    (written) => ({ ...about(written), changes: changesBetween(record(found), record(written)) }),
  );
}

/**
 * The same for a row that others than callers write too: it is held before it is compared, so that what they wrote
 * since it was found stays.
 */
export async function writeHeldUpdate<R extends { readonly version: number }>(
  ctx: Context,
  { kind, hold, given, update, record, about }: UpdatingHeld<R>,
): Promise<R> {
  const { after } = await ctx.write(
    async (tx) => {
      const before = await hold(tx);
      if (before === undefined) throw staleWrite(kind);
      ctx.requireVersion(before);
      const set = differing(before, given(before));
      if (Object.keys(set).length === 0) return { before, after: ctx.leaves(before) };
      const written = await update(tx, set, before.version + 1);
      if (written === undefined) throw staleWrite(kind);
      return { before, after: ctx.leaves(written) };
    },
    ({ before, after: written }) =>
      before === written
        ? undefined
        : { ...about(written), changes: changesBetween(record(before), record(written)) },
  );
  return after;
}
