import type { Step } from './steps.ts';

const INDEXES = [
  { name: 'invitations_by_end', table: 'invitations', columns: ['expires_at'] },
  { name: 'service_tokens_by_end', table: 'service_tokens', columns: ['expires_at'] },
  { name: 'join_requests_by_decision', table: 'join_requests', columns: ['status', 'decided_at'] },
  { name: 'preview_requests_by_time', table: 'preview_requests', columns: ['created_at'] },
];

/** Ways in that are over are forgotten in the order in which they ended. */
export const step: Step = {
  async up(db) {
    for (const { name, table, columns } of INDEXES) {
      await db.schema.createIndex(name).on(table).columns(columns).execute();
    }
  },
  async down(db) {
    for (const { name } of INDEXES) await db.schema.dropIndex(name).execute();
  },
};
