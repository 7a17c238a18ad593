import { sql } from 'kysely';
import type { Step } from './steps.ts';

/** Keys of repeated changes, and what was asked under them, are known by half of their digests. */
export const step: Step = {
  async up(db) {
    await sql`update idempotency_keys set hash = substr(hash, 1, 32), input_hash = substr(input_hash, 1, 32)`.execute(
      db,
    );
  },
  // The other half is lost: a change that is repeated afterwards is made anew.
  async down(db) {
    await sql`delete from idempotency_keys`.execute(db);
  },
};
