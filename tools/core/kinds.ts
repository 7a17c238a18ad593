import type { Db } from '../../store/engine/db.ts';
import type { Scope } from '../../store/engine/scope.ts';
import type { Digest } from './ports.ts';

/** A kind of object: what the audit log, refusals and readers call it. Declared once. */
export interface Kind {
  /** Under which the audit log files it, such as `MEDIA_BUY`. */
  readonly type: Uppercase<string>;
  /** In a sentence, such as `media buy`. */
  readonly word: string;
  /** What to do next for whoever named one that is not there. */
  readonly lookUp: string;
  /** How its rows, which count their versions, show which one they are: a change may say which it was made on. */
  readonly versioned?: Versioned;
  /** The row of one by its id, wherever in the organization it is: for the log of a call that only came to name it. */
  find?(db: Db, scope: Scope, id: string): Promise<Owned | undefined>;
}

/** Whose an object is. */
export interface Owned {
  readonly customer_id: number;
  readonly advertiser_id?: number;
}

export interface Versioned {
  /** The field in which readers see it, and a change over MCP says it. */
  readonly field: 'revision' | 'version_hash';
  /** What stands there for a row. */
  of(row: Readonly<Record<string, unknown>>, digest: Digest): string;
}

/** Shows the number of the version itself. */
export const byRevision: Versioned = { field: 'revision', of: ({ version }) => String(version) };
