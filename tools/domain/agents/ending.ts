import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { endClaimAttemptsOf } from '../../../store/unscoped/agent-claim-attempts.ts';
import {
  findAgentRegistration,
  listAgentsOf,
  revokeAgent,
} from '../../../store/unscoped/agent-registrations.ts';
import { archiveServiceTokensOf, revokeLegacyKeysOf } from '../../../store/unscoped/lent-credentials.ts';
import { endOauthGrantsOf } from '../../../store/unscoped/oauth.ts';
import { listBelow } from '../../../store/unscoped/organization-tree.ts';
import { lockUser } from '../../../store/unscoped/users.ts';
import { deleteSubscriptionsMadeBy } from '../../../store/webhooks.ts';
import { agentPrincipal } from './desk.ts';

/**
 * Ends an agent with all it holds, and gives the ids of the webhook subscriptions that it had; undefined where it had
 * ended, or never was.
 */
export async function endIn(
  tx: Db,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<string[] | undefined> {
  if (!(await revokeAgent(tx, { id, now }))) return undefined;
  const registration = await findAgentRegistration(tx, id);
  const at = registration?.claimed_organization_id ?? registration?.sandbox_organization_id ?? null;
  // What it had sent to itself would still tell it of the organization.
  if (at === null) return [];
  return deleteSubscriptionsMadeBy(tx, makeTenant(at), { principal: agentPrincipal(id), now });
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
  // Whoever makes something that acts for them holds the person too: it is made before, and ended here, or not at all.
  await lockUser(tx, userId);
  await endOauthGrantsOf(tx, { userId, now });
  await archiveServiceTokensOf(tx, { userId, now });
  await endClaimAttemptsOf(tx, { userId, now });
  for (const { id } of await listAgentsOf(tx, { userId, now })) await endIn(tx, { id, now });
}

/**
 * Ends for good whatever acts for a person in an organization that they are taken out of, and below it where they
 * have no role of their own: who is let in again has none of it back. Beside what a new password ends these are the
 * legacy keys that are the person's own. Gives the ids of the webhook subscriptions that ended with an agent.
 */
export async function endActingIn(
  tx: Db,
  { userId, organizationId, now }: { userId: number; organizationId: number; now: string },
): Promise<string[]> {
  await lockUser(tx, userId);
  const organizationIds = await listBelow(tx, organizationId, { butOf: userId });
  const person = { userId, now, organizationIds };
  await endOauthGrantsOf(tx, person);
  await archiveServiceTokensOf(tx, person);
  await revokeLegacyKeysOf(tx, person);
  await endClaimAttemptsOf(tx, person);
  const ended: string[] = [];
  for (const { id, claimed_organization_id: at } of await listAgentsOf(tx, person)) {
    if (at !== null && organizationIds.includes(at)) ended.push(...((await endIn(tx, { id, now })) ?? []));
  }
  return ended;
}
