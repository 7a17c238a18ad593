import { findDomain, updateDomain } from '../../../store/domains.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { findOrganizationOfDomain } from '../../../store/unscoped/signup.ts';
import type { Actor } from '../../core/context.ts';
import { type Verifying, verifiedSubject } from './domains.ts';
import { requireOrganization } from './operator-decisions.ts';

export interface Unverified {
  /** False where it was not verified for the organization: nothing was written. */
  readonly isChanged: boolean;
  /** The organization for which it is verified now. */
  readonly holder: number | undefined;
}

/**
 * The operator takes back that a domain is an organization's own. It stays named as its own, with its policy, and
 * what follows of it being verified is over: who signs in by it, who is let in by it, what sellers are told.
 */
export async function unverifyDomain(actor: Actor, wanted: Verifying): Promise<Unverified> {
  const place = { ...wanted, domain: wanted.domain.toLowerCase() };
  const { organizationId, domain } = place;
  await requireOrganization(actor, organizationId);
  const tenant = makeTenant(organizationId);
  const about = await verifiedSubject(actor, place, { from: true, to: false });
  return actor.write(
    async (tx) => {
      const known = await findDomain(tx, tenant, domain);
      const isChanged = known !== undefined && known.verified_at !== null;
      if (isChanged)
        await updateDomain(tx, tenant, { domain, set: { verified_at: null, verified_domain: null } });
      return { isChanged, holder: (await findOrganizationOfDomain(tx, domain))?.organization_id };
    },
    ({ isChanged }) => (isChanged ? about : undefined),
  );
}
