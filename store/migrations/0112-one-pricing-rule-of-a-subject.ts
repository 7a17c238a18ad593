import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * About one subject one pricing rule holds. Two that were set at once may both have stood: the one that was set last
 * is kept, and the others ended when it began. A rule about every advertiser or every agent has no value there, and
 * an index takes none of two such values for the same.
 */
export const step: Step = {
  async up(db) {
    const isSame = sql`later.organization_id = pricing_rules.organization_id
      and later.customer_id = pricing_rules.customer_id
      and coalesce(later.advertiser_id, 0) = coalesce(pricing_rules.advertiser_id, 0)
      and coalesce(later.agent_id, '') = coalesce(pricing_rules.agent_id, '')
      and later.ended_at is null`;
    await sql`
      update pricing_rules set ended_at = (
        select max(later.created_at) from pricing_rules later where ${isSame}
      )
      where ended_at is null and exists (
        select 1 from pricing_rules later where ${isSame} and later.id > pricing_rules.id
      )
    `.execute(db);
    await sql`
      create unique index pricing_rules_of_subject
      on pricing_rules (organization_id, customer_id, coalesce(advertiser_id, 0), coalesce(agent_id, ''))
      where ended_at is null
    `.execute(db);
  },
  async down(db) {
    await db.schema.dropIndex('pricing_rules_of_subject').execute();
  },
};
