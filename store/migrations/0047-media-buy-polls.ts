import type { Step } from './steps.ts';
import { refers, tables, text } from './tables.ts';

/** When the service last asked a seller about a buy on its own account. */
const polls = tables({
  name: 'media_buy_polls',
  columns: {
    media_buy_id: refers(text, 'media_buys.id'),
    asked_at: text,
  },
  primaryKey: ['media_buy_id'],
});

export const step: Step = {
  async up(db, kit) {
    await polls.up(db, kit);
    await db.schema
      .createIndex('media_buys_by_status')
      .on('media_buys')
      .columns(['status', 'agent_id'])
      .execute();
  },
  async down(db, kit) {
    await db.schema.dropIndex('media_buys_by_status').execute();
    await polls.down(db, kit);
  },
};
