import type { Step } from './steps.ts';

const NAME = 'webhook_deliveries_log_by_state';

/** Few deliveries of many fail: a log of those alone would else be looked for among all that a subscription was sent. */
export const step: Step = {
  async up({ schema }) {
    await schema
      .createIndex(NAME)
      .on('webhook_deliveries')
      .columns(['organization_id', 'subscription_id', 'state', 'id'])
      .execute();
  },
  async down({ schema }) {
    await schema.dropIndex(NAME).execute();
  },
};
