import type { Caller, Services } from '../../tools/core/context.ts';
import { unauthorized } from '../../tools/core/errors/refusals.ts';
import { wellKnownPaths } from '../../tools/core/root-addresses.ts';
import { createAudiences, type Place, resourceOf } from '../auth/audiences.ts';
import { DEFAULT_SCOPE } from '../auth/scopes.ts';

/** What a refusal says of where a token for a place is had (RFC 9728, section 5.1). */
export interface Challenge {
  readonly metadata: string;
  /** What to ask for; over MCP, where clients ask by themselves. */
  readonly scope: string | undefined;
}

/** Where tokens are taken, and where one is had. */
export interface TokenPlaces {
  /** The caller, unless it came with a token for another place: that is refused like one that nobody knows. */
  callerAt(place: Place, caller: Caller | null): Caller | null;
  /** `path`: the address that the client knows the place by, where that is another one. */
  challengeAt(place: Place, path?: string): Challenge;
  /** For what stands beside REST and MCP. */
  challenge(): Challenge;
}

export function createTokenPlaces(services: Pick<Services, 'publicUrl'>): TokenPlaces {
  const fits = createAudiences(services);
  return {
    callerAt: (place, caller) => {
      if (caller?.audience === undefined || fits(place, caller.audience)) return caller;
      throw unauthorized('The token is for another address.', {
        suggestion: 'Get one for this address: its resource is named in the WWW-Authenticate header.',
      });
    },
    challengeAt: (place, path = resourceOf(place)) => ({
      metadata: `${services.publicUrl()}${wellKnownPaths.protectedResource}${path}`,
      scope: place.way === 'mcp' ? DEFAULT_SCOPE : undefined,
    }),
    challenge: () => ({
      metadata: `${services.publicUrl()}${wellKnownPaths.protectedResource}`,
      scope: undefined,
    }),
  };
}
