import type { Step } from './steps.ts';

const index = { name: 'campaigns_by_customer', table: 'campaigns' };
const OF_ACCOUNT = ['organization_id', 'customer_id', 'created_at', 'id'];

/** The campaigns of an account are counted by their states from the index alone. */
export const step: Step = {
  async up(db, kit) {
    await kit.indexAnew(db, { ...index, columns: [...OF_ACCOUNT, 'status'] });
  },
  async down(db, kit) {
    await kit.indexAnew(db, { ...index, columns: OF_ACCOUNT });
  },
};
