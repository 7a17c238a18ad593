import { findAgentRefreshToken } from '../../store/unscoped/agent-refresh-tokens.ts';
import { findAgentByClaim } from '../../store/unscoped/agent-registrations.ts';
import type { Desk } from '../../tools/domain/agents/desk.ts';
import { endAgent, exchangeAssertion } from '../../tools/domain/agents/identities.ts';
import { AgentRefusal } from '../../tools/domain/agents/refusals.ts';
import { deskOf, visitorAt } from '../agents/reception.ts';
import { resourceIn } from '../auth/audiences.ts';
import type { App } from '../http/app.ts';
import { OAuthError } from './answers.ts';
import type { GrantHandler, Revoker } from './hooks.ts';

/** Gives agents access tokens for their assertions (RFC 7523). They have no client, and name none. */
export function assertionGrant(app: App): GrantHandler {
  const desk = deskOf(app);
  return async (_asked, form) => {
    const assertion = onlyOne(form, 'assertion');
    try {
      const access = await exchangeAssertion(desk, { assertion, audience: audienceIn(desk, form) });
      return {
        access_token: access.token,
        token_type: 'Bearer',
        expires_in: access.seconds,
        scope: access.scope,
      };
    } catch (thrown) {
      throw thrown instanceof AgentRefusal
        ? new OAuthError(thrown.error, thrown.message, thrown.status)
        : thrown;
    }
  };
}

function onlyOne(form: URLSearchParams, name: string): string {
  const [value = '', ...more] = form.getAll(name);
  if (value !== '' && more.length === 0) return value;
  throw new OAuthError('invalid_request', `Give ${name}, once.`);
}

/** The addresses that were asked for; without one, the whole service. */
function audienceIn({ services }: Desk, form: URLSearchParams): string | string[] {
  const asked = form.getAll('resource');
  const known = asked.map((resource) => resourceIn(resource, services.publicUrl()));
  const named = known.filter((resource) => resource !== undefined);
  if (named.length < known.length) {
    throw new OAuthError(
      'invalid_target',
      'resource is no address of this service. Leave it out, or see /auth.md.',
    );
  }
  return named.length === 0 ? services.publicUrl() : named;
}

/** Whoever holds what an agent is known by may end the agent: its refresh token, its assertion, its claim token. */
export function agentRevoker(app: App): Revoker {
  const desk = deskOf(app);
  return async ({ req }, token) => {
    const id = await agentOf(desk, token);
    if (id === undefined) return false;
    await endAgent(desk, { visitor: visitorAt(app, req), id });
    return true;
  };
}

async function agentOf({ services }: Desk, token: string): Promise<string | undefined> {
  const { store, ports } = services;
  const assertion = await ports.tokens.verify(token, 'agent-assertion+jwt');
  if (assertion !== null) return assertion.sub;
  const hash = ports.digest(token);
  const refresh = await findAgentRefreshToken(store.db, hash);
  // One that was used says nothing of who holds the next.
  if (refresh !== undefined) return refresh.used_at === null ? refresh.registration_id : undefined;
  const registration = await findAgentByClaim(store.db, hash);
  return registration?.claimed_at === null ? registration.id : undefined;
}
