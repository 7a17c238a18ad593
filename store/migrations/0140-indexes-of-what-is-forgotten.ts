import type { Step } from './steps.ts';

const UPDATES = 'seller_updates_by_buy';
const LINKS = 'join_links_by_end';
const CAME_BY = 'sponsorships_by_link';

/** What ended is forgotten beyond a quota or after a while: it is found without a look at everything. */
export const step: Step = {
  async up({ schema }) {
    await schema
      .createIndex(UPDATES)
      .on('seller_updates')
      .columns(['source_id', 'buy_id', 'revision'])
      .execute();
    await schema.createIndex(LINKS).on('join_links').column('revoked_at').execute();
    await schema.createIndex(CAME_BY).on('sponsorships').column('join_link_id').execute();
  },
  async down({ schema }) {
    for (const name of [CAME_BY, LINKS, UPDATES]) await schema.dropIndex(name).execute();
  },
};
