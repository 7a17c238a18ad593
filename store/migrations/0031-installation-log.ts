import { sql } from 'kysely';
import type { Step } from './steps.ts';
import { identity, optional, type Table, tables, text } from './tables.ts';

/** What the operator did to the installation as a whole: the log of no organization could tell of it. */
const installationLog: Table = {
  name: 'installation_log',
  columns: {
    id: identity,
    tool: text,
    action: text,
    resource_type: text,
    resource_id: optional(text),
    changes: optional(text),
    description: text,
    request_id: text,
    created_at: text,
  },
};

const log = tables(installationLog);

/** The operator's entries among those of organizations are few: their index costs no other entry anything. */
export const step: Step = {
  async up(db, kit) {
    await log.up(db, kit);
    await sql`create index audit_logs_by_operator on audit_logs (id) where surface = 'operator'`.execute(db);
  },
  async down(db, kit) {
    await db.schema.dropIndex('audit_logs_by_operator').execute();
    await log.down(db, kit);
  },
};
