import { sql } from 'kysely';
import type { Step } from './steps.ts';

const NAME = 'media_buys_by_name_at_seller';

/** Every answer to an order is held against what its seller called others. Rows of before may have one name twice. */
export const step: Step = {
  async up({ schema }) {
    await schema
      .createIndex(NAME)
      .on('media_buys')
      .columns(['agent_id', 'adcp_media_buy_id'])
      .where(sql.ref('adcp_media_buy_id'), 'is not', null)
      .execute();
  },
  async down({ schema }) {
    await schema.dropIndex(NAME).execute();
  },
};
