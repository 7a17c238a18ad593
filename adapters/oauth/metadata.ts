import { oauthPaths, wellKnownPaths } from '../../tools/core/root-addresses.ts';
import { surfaces } from '../../tools/core/surfaces.ts';
import { resourcePaths } from '../auth/audiences.ts';
import { IDENTITY_SCOPES, SCOPES } from '../auth/scopes.ts';
import type { App } from '../http/app.ts';
import { titleOf } from '../settings/config.ts';
import { grantTypes, oauthHooks } from './hooks.ts';

/** What is told at `/.well-known`: the same on every host of the service, byte by byte. */
export function wellKnown(app: App): ReadonlyMap<string, () => Promise<unknown> | unknown> {
  const server = () => serverMetadata(app);
  return new Map<string, () => Promise<unknown> | unknown>([
    [wellKnownPaths.authorizationServer, server],
    [wellKnownPaths.openidConfiguration, server],
    [wellKnownPaths.jwks, () => jwks(app)],
    [wellKnownPaths.brand, () => brand(app)],
    ...resourcePaths.map(
      (path) => [`${wellKnownPaths.protectedResource}${path}`, () => resourceMetadata(app, path)] as const,
    ),
  ]);
}

/** RFC 8414 and OpenID Connect Discovery, in one. */
function serverMetadata(app: App): Record<string, unknown> {
  const base = app.services.publicUrl();
  const hooks = oauthHooks(app);
  return {
    issuer: base,
    authorization_endpoint: `${base}${oauthPaths.authorize}`,
    token_endpoint: `${base}${oauthPaths.token}`,
    registration_endpoint: `${base}${oauthPaths.register}`,
    revocation_endpoint: `${base}${oauthPaths.revoke}`,
    userinfo_endpoint: `${base}${oauthPaths.userinfo}`,
    jwks_uri: `${base}${wellKnownPaths.jwks}`,
    scopes_supported: [...SCOPES, 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: grantTypes(hooks),
    token_endpoint_auth_methods_supported: methodsOf(hooks.grants),
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    claims_supported: ['sub', 'name', 'email', 'email_verified', 'iss', 'aud', 'exp', 'iat', 'auth_time'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: resourcePaths.map((path) => `${base}${path}`),
    service_documentation: `${base}/docs`,
    ...hooks.metadata,
  };
}

/** Secrets are for applications of an organization, which have no other way. */
function methodsOf(grants: Readonly<Record<string, unknown>>): readonly string[] {
  return 'client_credentials' in grants ? ['none', 'client_secret_basic', 'client_secret_post'] : ['none'];
}

/** RFC 9728. */
function resourceMetadata(app: App, path: string): Record<string, unknown> {
  const base = app.services.publicUrl();
  return {
    resource: `${base}${path}`,
    resource_name: titleOf(app.config),
    authorization_servers: [base],
    scopes_supported: [...IDENTITY_SCOPES],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base}/docs`,
  };
}

/** What our tokens are checked with: the key that signs, and those before it while their tokens live. */
async function jwks({ keyring }: App): Promise<{ keys: unknown[] }> {
  return { keys: (await keyring.pairs()).map(({ publicJwk }) => publicJwk) };
}

/** Who runs this, for agents that meet it. */
function brand(app: App): Record<string, unknown> {
  const base = app.services.publicUrl();
  return {
    version: '1.0',
    name: titleOf(app.config),
    url: base,
    agents: [
      { type: 'buying', url: `${base}${surfaces.buyer.mcp.path}` },
      { type: 'selling', url: `${base}${surfaces.storefront.mcp.path}` },
    ],
    documentation: `${base}/docs`,
    jwks_uri: `${base}${wellKnownPaths.jwks}`,
  };
}
