import type { Step } from './steps.ts';

/** Why the operator did what concerns every organization: what was written before has it among its words. */
export const step: Step = {
  async up({ schema }) {
    await schema.alterTable('installation_log').addColumn('reason', 'text').execute();
  },
  async down({ schema }) {
    await schema.alterTable('installation_log').dropColumn('reason').execute();
  },
};
