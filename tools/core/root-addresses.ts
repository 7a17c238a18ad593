/**
 * Addresses at the root of the service, beside those of the surfaces (interface, OAuth endpoints): what answers at
 * them and what tells of them both take them from here.
 */

/** The authorization server. */
export const oauthPaths = {
  authorize: '/authorize',
  token: '/auth/token',
  register: '/auth/register',
  revoke: '/auth/revoke',
  userinfo: '/auth/userinfo',
  /** Where a person is asked, below it under the id of the question. */
  interaction: '/auth/interaction',
} as const;

/** Documents that programs look for (RFC 8615). */
export const wellKnownPaths = {
  authorizationServer: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  /** Of the whole service; behind it the address of a part of it, for that part alone (RFC 9728). */
  protectedResource: '/.well-known/oauth-protected-resource',
  jwks: '/.well-known/jwks.json',
  brand: '/.well-known/brand.json',
  aiCatalog: '/.well-known/ai-catalog.json',
} as const;
