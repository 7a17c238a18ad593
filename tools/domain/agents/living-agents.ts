import type { Db } from '../../../store/engine/db.ts';
import { findAgent } from '../../../store/unscoped/agents.ts';
import { findMember } from '../../../store/unscoped/people.ts';

/**
 * Whether an agent goes on at a moment: it is neither ended nor over, and who stands behind it is there. That is
 * the person who claimed it, as a member of the organization; before the claim its sandbox.
 */
export async function agentStands(
  db: Db,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<boolean> {
  const agent = await findAgent(db, id);
  if (agent === undefined || agent.expires_at <= now) return false;
  if (agent.claimed_at === null) return agent.sandbox_organization_id !== null;
  const { user_id: userId, claimed_organization_id: organizationId } = agent;
  if (userId === null || organizationId === null) return false;
  return (await findMember(db, { userId, organizationId })) !== undefined;
}
