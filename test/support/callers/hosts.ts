import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';

/** Where the page of a host waits to be called back. */
export const CALLBACK = 'http://localhost:6274/oauth/callback';

export interface HostMemory extends OAuthClientProvider {
  /** Where it sent the person last. */
  asked(): URL;
}

/** What a host keeps for a server that it was given the address of, and nothing else. */
export function hostMemory(): HostMemory {
  let client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  let asked: URL | undefined;
  let verifier = '';
  let discovered: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined;
  return {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'A host', redirect_uris: [CALLBACK] },
    clientInformation: () => client,
    saveClientInformation: (value) => {
      client = value;
    },
    tokens: () => tokens,
    saveTokens: (value) => {
      tokens = value;
    },
    redirectToAuthorization: (url) => {
      asked = url;
    },
    saveCodeVerifier: (value) => {
      verifier = value;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (value) => {
      discovered = value;
    },
    discoveryState: () => discovered,
    asked: () => {
      if (asked === undefined) throw new Error('The host sent the person nowhere.');
      return asked;
    },
  };
}
