import type { Tenant } from '../../store/engine/scope.ts';
import {
  findMcpSession,
  type McpSessionRow,
  type SessionKey,
  touchMcpSession,
} from '../../store/mcp-sessions.ts';
import type { Services } from '../../tools/core/context.ts';
import { MINUTE_MS, momentOf } from '../../tools/core/moments.ts';

const TOUCH_EVERY_MS = MINUTE_MS;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function isSessionId(text: string): boolean {
  return UUID.test(text);
}

/** The session of this id, surface and credential. That of somebody else is none. */
export async function sessionRow(
  { store }: Services,
  tenant: Tenant,
  key: SessionKey,
): Promise<McpSessionRow | undefined> {
  return isSessionId(key.id) ? findMcpSession(store.db, tenant, key) : undefined;
}

/** Notes that a session is used, at most once a minute. */
export async function touch({ store, ports }: Services, tenant: Tenant, row: McpSessionRow): Promise<void> {
  const now = ports.clock.now();
  if (now - Date.parse(row.seen_at) < TOUCH_EVERY_MS) return;
  await touchMcpSession(store.db, tenant, { id: row.id, now: momentOf(now) });
}
