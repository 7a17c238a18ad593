import { endClaimAttemptsOf } from '../../../store/agent-claim-attempts.ts';
import { findAgentRegistration, listAgentsOf, revokeAgent } from '../../../store/agent-registrations.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { archiveServiceTokensOf } from '../../../store/unscoped/lent-credentials.ts';
import { endOauthGrantsOf } from '../../../store/unscoped/oauth.ts';
import { deleteSubscriptionsMadeBy } from '../../../store/webhooks.ts';
import { agentPrincipal } from './desk.ts';

interface Ended {
  /** Where it worked, if anywhere. */
  readonly organizationId: number | null;
}

/** Ends an agent with all it holds; undefined where it had ended, or never was. */
export async function endIn(
  tx: Db,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<Ended | undefined> {
  if (!(await revokeAgent(tx, { id, now }))) return undefined;
  const registration = await findAgentRegistration(tx, id);
  const at = registration?.claimed_organization_id ?? registration?.sandbox_organization_id ?? null;
  // What it had sent to itself would still tell it of the organization.
  if (at !== null) {
    await deleteSubscriptionsMadeBy(tx, makeTenant(at), { principal: agentPrincipal(id), now });
  }
  return { organizationId: at };
}

/**
 * Ends whatever acts for a person beside their browsers, in every organization: programs that were let in, agents
 * that were claimed, those whose code was shown and not brought yet, and service tokens. Keys and applications are
 * the organization's, and go on.
 */
export async function endActingFor(
  tx: Db,
  { userId, now }: { readonly userId: number; readonly now: string },
): Promise<void> {
  await endOauthGrantsOf(tx, { userId, now });
  await archiveServiceTokensOf(tx, { userId, now });
  await endClaimAttemptsOf(tx, { userId, now });
  for (const { id } of await listAgentsOf(tx, { userId, now })) await endIn(tx, { id, now });
}
