import { sql } from 'kysely';
import type { Step } from './steps.ts';

const NAME = 'webhook_deliveries_log_unheard';

/**
 * Few deliveries of many fail, or are not sent: a log of those alone would else be looked for among all that a
 * subscription was sent. One that arrives costs nothing more.
 */
export const step: Step = {
  async up({ schema }) {
    await schema
      .createIndex(NAME)
      .on('webhook_deliveries')
      .columns(['organization_id', 'subscription_id', 'state', 'id'])
      .where(sql.ref('state'), 'in', [sql.lit('failed'), sql.lit('skipped')])
      .execute();
  },
  async down({ schema }) {
    await schema.dropIndex(NAME).execute();
  },
};
