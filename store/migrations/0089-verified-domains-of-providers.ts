import { sql } from 'kysely';
import type { Step } from './steps.ts';

/**
 * Providers are believed for verified domains alone from here on. Those that were named before were named by the
 * operator, who had seen whose the domain is: but for those of organizations that are stopped, and for domains that
 * were verified for another one. A claim that let people in by themselves has them ask: nobody had verified it.
 */
export const step: Step = {
  async up(db) {
    await sql`update organization_domains
      set verified_at = ${sql.raw(NAMED_AT)}, verified_domain = domain,
        policy = case policy when 'auto_approve' then 'request_approval' else policy end
      where verified_at is null and ${sql.raw(OF_PROVIDER)} and ${sql.raw(IS_FREE)}`.execute(db);
    await sql`insert into organization_domains
      (organization_id, domain, policy, verified_at, verified_domain, created_at)
      select p.organization_id, p.domain, 'invitation_only', p.created_at, p.domain, p.created_at
      from organization_providers p inner join organizations o on o.id = p.organization_id
      where o.suspended_at is null
        and not exists (select 1 from organization_domains d
          where d.verified_domain = p.domain or (d.domain = p.domain and d.organization_id = p.organization_id))`.execute(
      db,
    );
  },
  // What was verified stays so: who did it is not told apart.
  async down() {},
};

const SAME =
  'p.domain = organization_domains.domain and p.organization_id = organization_domains.organization_id';
const NAMED_AT = `(select p.created_at from organization_providers p where ${SAME})`;
const OF_PROVIDER = `exists (select 1 from organization_providers p inner join organizations o
  on o.id = p.organization_id where ${SAME} and o.suspended_at is null)`;
const IS_FREE =
  'not exists (select 1 from organization_domains d where d.verified_domain = organization_domains.domain)';
