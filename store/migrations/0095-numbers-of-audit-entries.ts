import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Step } from './steps.ts';
import { integer, type Table, tables, text } from './tables.ts';

const KEY_BYTES = 32;

/** How entries of the audit log are numbered for their readers: one row. */
const numbering: Table = {
  name: 'audit_numbering',
  columns: {
    /** Mixes the numbers of one millisecond. Hexadecimal. */
    key: text,
    /** The last entry that its readers know by its own id. */
    counted_until: integer,
  },
  primaryKey: ['key'],
};

const made = tables(numbering);

/** Ids of entries are counted for all organizations together: from now on nobody is shown them. */
export const step: Step = {
  async up(db, kit) {
    await made.up(db, kit);
    await sql`insert into audit_numbering (key, counted_until)
      select cast(${randomBytes(KEY_BYTES).toString('hex')} as text), coalesce(max(id), 0) from audit_logs`.execute(
      db,
    );
  },
  down: made.down,
};
