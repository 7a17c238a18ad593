import { permissions as every, type Permission } from '../../store/api-keys.ts';
import { hasPermission } from '../../tools/core/access.ts';
import type { Services } from '../../tools/core/context.ts';
import { type TokenKind, unlessRevoked, userTokens } from './access-token.ts';
import { agentTokens } from './agent.ts';
import { applicationCaller } from './application.ts';
import { givenBy, scopesIn } from './scopes.ts';

/** Every kind of access token that is taken, by its claim `kind`. */
export function tokenKindsOf(services: Services): Readonly<Record<string, TokenKind>> {
  return {
    user: userTokens(services),
    m2m: unlessRevoked(services, machineTokens(services)),
    agent: unlessRevoked(services, agentTokens(services)),
  };
}

/** Tokens that applications got for themselves: for what they asked, as far as they hold it still. */
function machineTokens(services: Services): TokenKind {
  const callerOf = applicationCaller(services);
  return async (claims) => {
    const secretId = claims['sec'];
    if (typeof secretId !== 'string') return null;
    const caller = await callerOf({ sub: claims.sub, exp: claims.exp, secretId });
    if (caller === null) return null;
    const given = new Set(givenBy(scopesIn(claims['scope'])) ?? []);
    const isGiven = (permission: Permission) => hasPermission({ permissions: given }, permission);
    // Each by its own name: whoever holds one that implies it may ask for the lesser one alone.
    const permissions = new Set(every.filter((name) => hasPermission(caller, name) && isGiven(name)));
    return { ...caller, permissions, audience: [claims.aud].flat() };
  };
}
