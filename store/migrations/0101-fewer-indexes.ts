import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * Each index is one more page that a change writes. Ends of flights are looked for among campaigns that run, and a
 * new one does not. The audit log is kept in the order of its ids, which is that of time.
 */
export const step: Step = {
  async up(db) {
    await db.schema.dropIndex('campaigns_by_flight_end').execute();
    await db.schema
      .createIndex('campaigns_by_flight_end')
      .on('campaigns')
      .columns(['end_at'])
      .where(
        sql.ref('status'),
        'in',
        ['ACTIVE', 'PAUSED'].map((status) => sql.lit(status)),
      )
      .execute();
    await db.schema.dropIndex('audit_logs_by_time').execute();
  },
  async down(db) {
    await db.schema.createIndex('audit_logs_by_time').on('audit_logs').columns(['created_at']).execute();
    await db.schema.dropIndex('campaigns_by_flight_end').execute();
    await db.schema
      .createIndex('campaigns_by_flight_end')
      .on('campaigns')
      .columns(['status', 'end_at'])
      .execute();
  },
};
