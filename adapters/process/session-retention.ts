import { expireMcpSessions } from '../../store/unscoped/mcp-sessions.ts';
import type { Services } from '../../tools/core/context.ts';
import { fromNow } from '../../tools/core/moments.ts';
import { SESSION_IDLE_MS } from '../mcp/session-quota.ts';

/** Rows of one statement, and statements of one round: what is left waits for the next one. */
const AT_ONCE = 500;
const STEPS = 20;

/** Forgets the MCP sessions that nobody used for long, in small steps: no call waits behind all of them. */
export async function forgetIdleSessions({ store, ports }: Services): Promise<void> {
  const before = fromNow(ports.clock, -SESSION_IDLE_MS);
  for (let step = 0; step < STEPS; step += 1) {
    if ((await expireMcpSessions(store.db, { before, limit: AT_ONCE })) < AT_ONCE) return;
  }
}
