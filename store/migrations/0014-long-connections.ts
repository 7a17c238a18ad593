import type { Step } from './steps.ts';

/** What says who a credential is and what it reaches. Of a key its use is noted too, which changes neither. */
const ACCESS: readonly { readonly table: string; readonly columns?: readonly string[] }[] = [
  { table: 'organizations' },
  { table: 'customers' },
  { table: 'memberships' },
  { table: 'grants' },
  { table: 'api_keys', columns: ['permissions', 'customer_id', 'expires_at', 'revoked_at'] },
];

/**
 * Which tools of its surface a session was opened for: those of before say nothing of it, count as opened for
 * all, and are opened anew by their clients where they were not. And word to every process when access changes.
 */
export const step: Step = {
  async up(db, kit) {
    await db.schema
      .alterTable('mcp_sessions')
      .addColumn('tools', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await db.schema
      .createIndex('mcp_sessions_by_principal')
      .on('mcp_sessions')
      .columns(['organization_id', 'principal', 'seen_at'])
      .execute();
    for (const changes of ACCESS) await kit.announce(db, changes);
  },
  async down(db, kit) {
    for (const { table } of ACCESS) await kit.announceNoMore(db, table);
    await db.schema.dropIndex('mcp_sessions_by_principal').execute();
    await db.schema.alterTable('mcp_sessions').dropColumn('tools').execute();
  },
};
