import { agentAuth } from '../agents/metadata.ts';
import { ASSERTION_GRANT } from '../agents/reception.ts';
import type { App } from '../http/app.ts';
import { agentRevoker, assertionGrant } from './agents.ts';
import type { Asked } from './answers.ts';
import { clientCredentials } from './client-credentials.ts';

/** Answers a grant at the token endpoint that the library does not know. Throws an `OAuthError`. */
export type GrantHandler = (asked: Asked, form: URLSearchParams) => Promise<Record<string, unknown>>;

/** Ends a token if it is one of its kind; true when it was. */
export type Revoker = (asked: Asked, token: string) => Promise<boolean>;

export interface OAuthHooks {
  /** By `grant_type`, asked before the library. */
  readonly grants: Readonly<Record<string, GrantHandler>>;
  /** Asked for tokens of which nothing else is known. */
  readonly revokers: readonly Revoker[];
  /** What else the metadata of the authorization server says. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** By which a program acts for a person, and which the library answers. */
const LIBRARY_GRANTS: readonly string[] = ['authorization_code', 'refresh_token'];

/** Every `grant_type` that tokens are given for. */
export function grantTypes({ grants }: OAuthHooks): string[] {
  return [...LIBRARY_GRANTS, ...Object.keys(grants)];
}

/** What else than people and their programs gets tokens here. */
export function oauthHooks(app: App): OAuthHooks {
  return {
    grants: { client_credentials: clientCredentials, [ASSERTION_GRANT]: assertionGrant(app) },
    revokers: [agentRevoker(app)],
    metadata: { agent_auth: agentAuth(app) },
  };
}
