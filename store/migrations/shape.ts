import type { Db } from '../engine/db.ts';
import { findSteps } from './steps.ts';

/** How far a database has come. */
export interface Shape {
  /** The newest step that has run; undefined for a database without our tables. */
  readonly newest: string | undefined;
  /** Steps of this version that have not run. */
  readonly due: readonly string[];
  /** Steps that have run and that this version does not know: a newer one was here. */
  readonly unknown: readonly string[];
}

export async function shapeOf(db: Db): Promise<Shape> {
  const known = [...findSteps().keys()];
  const run = await stepsRun(db);
  return {
    newest: run.at(-1),
    due: known.filter((name) => !run.includes(name)),
    unknown: run.filter((name) => !known.includes(name)),
  };
}

/** What this version cannot work on, in words that say what to do. */
export function refuseUnknown({ unknown }: Pick<Shape, 'unknown'>): void {
  if (unknown.length === 0) return;
  throw new Error(
    `A newer version was here: its database has ${unknown.join(', ')}. Install that version or a later one.`,
  );
}

async function stepsRun(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
    .catch((error: unknown) => {
      if (isWithoutTable(error)) return [];
      throw error;
    });
  return rows.map(({ name }) => name);
}

/** SQLite says it in words, PostgreSQL by its code. */
function isWithoutTable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message.includes('no such table') || ('code' in error && error.code === '42P01');
}
