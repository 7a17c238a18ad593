import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';

/** How entries of the audit log are numbered for their readers: one row, made with the table. */
export interface AuditNumberingTable {
  /** Mixes the numbers of one millisecond. Hexadecimal. */
  key: string;
  /** The last entry that its readers know by its own id. */
  counted_until: number;
}

declare module '../engine/database.ts' {
  interface Database {
    audit_numbering: AuditNumberingTable;
  }
}

const numbering = prepared((db, _: Record<never, never>) => db.selectFrom('audit_numbering').selectAll());

export async function findAuditNumbering(db: Db): Promise<AuditNumberingTable> {
  const row = await numbering.first(db, {});
  if (row === undefined) throw new Error('The audit log has no numbering.');
  return row;
}
