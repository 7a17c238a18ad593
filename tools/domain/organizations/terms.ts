import { makeTenant } from '../../../store/engine/scope.ts';
import { governingOrganization, insertAcceptance, latestTerms } from '../../../store/terms.ts';
import type { Actor } from '../../core/context.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { termsKind } from './kinds.ts';

/** Records that an organization accepted the latest terms, on paper or otherwise outside the service. */
export async function acceptTerms(actor: Actor, organizationId: number): Promise<string> {
  const version = await latestTerms(actor.db, actor.now);
  if (version === undefined)
    throw conflict('No terms of service are in force.', 'Set TERMS_VERSION and start the service once.');
  const governing = await governingOrganization(actor.db, makeTenant(organizationId));
  await actor.write(
    (tx) =>
      insertAcceptance(tx, governing, {
        version,
        user_id: null,
        via: 'operator',
        accepted_at: actor.now,
      }),
    {
      kind: termsKind,
      resourceId: version,
      tenant: { organizationId: governing.organizationId, customerId: null },
    },
  );
  return version;
}
