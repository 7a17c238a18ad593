import { makeTenant } from '../../store/engine/scope.ts';
import { countMcpSessions, deleteMcpSession, type SessionKey } from '../../store/mcp-sessions.ts';
import type { Services } from '../../tools/core/context.ts';
import { tooManyOpen } from '../../tools/core/errors/refusals.ts';
import { DAY_MS } from '../../tools/core/moments.ts';
import type { Config } from '../settings/config.ts';

/** A session of MCP that nobody used for this long is over. */
export const SESSION_IDLE_MS = DAY_MS;

export type SessionLimits = Pick<
  Config,
  'mcpSessionsPerCredential' | 'mcpSessionsPerOrganization' | 'mcpSessionsLive'
>;

/**
 * Holds a session that was just stored to the limits, and takes it back when it is one too many. Looked at
 * after it is stored: of two that come at once neither can overlook the other.
 */
export async function keepWithin(
  { store, ports }: Services,
  limits: SessionLimits,
  session: SessionKey & { readonly organizationId: number },
): Promise<void> {
  const tenant = makeTenant(session.organizationId);
  const open = await countMcpSessions(store.db, tenant, session.principal);
  const mine = open.ofCredential > limits.mcpSessionsPerCredential;
  if (!mine && open.ofOrganization <= limits.mcpSessionsPerOrganization) return;
  await deleteMcpSession(store.db, tenant, session);
  // The limit that is met says whose session has to go: that of another credential leaves no room to this one.
  const stalest = mine ? open.stalestOfCredential : open.stalestOfOrganization;
  const freeAt = Date.parse(stalest ?? '') + SESSION_IDLE_MS;
  const seconds = Math.max(1, Math.ceil((freeAt - ports.clock.now()) / 1_000) || 1);
  ports.tally.limited('mcp_sessions');
  throw tooManyOpen(
    mine
      ? `This credential has ${limits.mcpSessionsPerCredential} MCP sessions open, as many as it may.`
      : `This organization has ${limits.mcpSessionsPerOrganization} MCP sessions open, as many as it may.`,
    {
      retryAfter: seconds,
      suggestion: 'End a session that is no longer used with DELETE, or use one that is open.',
    },
  );
}
