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

interface Updating<R> {
  readonly kind: Kind;
  readonly found: R;
  readonly given: Given<R>;
  /** Writes the columns; undefined when somebody else wrote first. */
  update(tx: Db, set: Partial<R>): Promise<R | undefined>;
  /** The row as readers see it: what the log compares. */
  record(row: R): Readonly<Record<string, unknown>>;
  about(row: R): AuditSubject;
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
