import type { Kysely } from 'kysely';
import type { Step } from './steps.ts';

/**
 * Campaigns by the session that they buy from: only those that have one. A new campaign has none, and was entered
 * twice for nothing.
 */
export const step: Step = {
  async up(db) {
    await dropped(db);
    await indexes(db).bySession.where('discovery_id', 'is not', null).execute();
    await indexes(db).byDiscovery.where('discovery_id', 'is not', null).execute();
  },
  async down(db) {
    await dropped(db);
    await indexes(db).bySession.execute();
    await indexes(db).byDiscovery.execute();
  },
};

async function dropped(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('campaigns_by_session').execute();
  await db.schema.dropIndex('campaigns_by_discovery').execute();
}

function indexes(db: Kysely<unknown>) {
  const { schema } = db;
  return {
    bySession: schema.createIndex('campaigns_by_session').on('campaigns').columns(['discovery_id']),
    byDiscovery: schema
      .createIndex('campaigns_by_discovery')
      .on('campaigns')
      .columns(['organization_id', 'discovery_id', 'status', 'created_at', 'id']),
  };
}
