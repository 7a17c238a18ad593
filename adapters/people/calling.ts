import { call } from '../../tools/core/call.ts';
import type { Answer } from '../../tools/core/call-context.ts';
import type { Caller } from '../../tools/core/context.ts';
import { callerForPerson } from '../auth/member.ts';
import type { SignedIn } from '../auth/session.ts';
import { clientIp } from '../http/client-ip.ts';
import { requestIdOf } from '../http/visit.ts';
import type { Exchange } from './exchange.ts';

/** What a person at a page may do where they work now; null for who chose no organization, or has no role there. */
export async function callerAt({ app }: Exchange, { session, user }: SignedIn): Promise<Caller | null> {
  if (session.chosen_organization_id === null) return null;
  return callerForPerson(app.services, {
    kind: 'user',
    userId: user.id,
    organizationId: session.chosen_organization_id,
    principal: `user:${user.id}`,
    interactive: true,
    sessionId: session.id,
    endsAt: Date.parse(session.expires_at),
  });
}

/** A page, and who may do what at it. */
export interface AtPage {
  readonly exchange: Exchange;
  readonly caller: Caller | null;
}

/**
 * Calls a capability as the person at the page, through the same gates as any call: no page has rules of its own for
 * what a capability does. Throws its refusal.
 */
export async function callAs(
  { exchange, caller }: AtPage,
  name: string,
  input: object,
): Promise<Answer['output']> {
  const { app, req } = exchange;
  const tool = app.tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`${name} is not served.`);
  const { signal } = new AbortController();
  const from = { caller, requestId: requestIdOf(req), ip: clientIp(req, app.trustedProxies), signal };
  const { output } = await call(app.services, tool, { from, read: () => input });
  return output;
}
