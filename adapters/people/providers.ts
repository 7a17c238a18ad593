import { LRUCache } from 'lru-cache';
import type { ClientAuth, Configuration } from 'openid-client';
import { findProviderOf, hasProviders } from '../../store/unscoped/providers.ts';
import { HOUR_MS } from '../../tools/core/moments.ts';
import { providerOwner } from '../../tools/domain/organizations/secret-owners.ts';
import type { App } from '../http/app.ts';

/** An identity provider outside, and what it is believed in. */
export interface Provider {
  /** Empty for the operator's own; the domain of an organization's. */
  readonly domain: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** For whose addresses it speaks. */
  isBelievedFor(domain: string): boolean;
}

/** A way to sign in elsewhere, as the page shows it. */
export interface Way {
  readonly path: string;
  readonly label: string;
}

/** The identity providers of this installation. */
export interface Providers {
  ways(): Promise<readonly Way[]>;
  /** The operator's own for the empty domain, else that of the organization whose domain it is. */
  find(domain: string): Promise<Provider | undefined>;
  /** What the provider says of itself, fetched when it is needed and kept for a while. */
  configure(provider: Provider): Promise<Configuration>;
}

const KEPT = 100;
const KEPT_MS = HOUR_MS;
const TIMEOUT_SECONDS = 10;

/** All of them are asked through the guarded way: none can have us call an address that is not meant for us. */
export function createProviders(app: App): Providers {
  const { services, config } = app;
  const known = new LRUCache<string, Promise<Configuration>>({ max: KEPT, ttl: KEPT_MS });
  return {
    ways: async () => [
      ...(config.oidcIssuer === undefined ? [] : [wayOf(config.oidcIssuer, config.oidcName)]),
      ...((await hasProviders(services.store.db))
        ? [{ path: '/sign-in/organization', label: 'Continue with your organization' }]
        : []),
    ],
    find: async (domain) => (domain === '' ? operatorsProvider(app) : organizations(app, domain)),
    configure: (provider) => {
      const key = JSON.stringify([provider.issuer, provider.clientId, provider.clientSecret]);
      const kept = known.get(key);
      if (kept !== undefined) return kept;
      const made = discover(app, provider);
      known.set(key, made);
      // What failed is tried again by the next person.
      made.catch(() => known.delete(key));
      return made;
    },
  };
}

function wayOf(issuer: string, name: string | undefined): Way {
  return { path: '/sign-in/provider', label: `Continue with ${name ?? new URL(issuer).hostname}` };
}

/** The provider that the settings name. */
export function operatorsProvider({ config }: Pick<App, 'config'>): Provider | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcAllowedDomains } = config;
  if (oidcIssuer === undefined || oidcClientId === undefined || oidcClientSecret === undefined) {
    return undefined;
  }
  const allowed = new Set(oidcAllowedDomains);
  return {
    domain: '',
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    isBelievedFor: (domain) => allowed.size === 0 || allowed.has(domain),
  };
}

async function organizations({ services }: App, domain: string): Promise<Provider | undefined> {
  const row = await findProviderOf(services.store.db, domain);
  if (row === undefined) return undefined;
  return {
    domain,
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: services.ports.secrets.open(row.secret_sealed, providerOwner(domain)),
    isBelievedFor: (other) => other === domain,
  };
}

/** In the header where the provider takes it there, which it does unless it says otherwise (OpenID Discovery). */
function secretTo(client: typeof import('openid-client'), secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...others) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (taken.includes('client_secret_basic') ? basic : post)(server, ...others);
  };
}

/** What a provider says of itself, asked now. The package is loaded when the first person comes this way. */
export async function discover(
  { providerFetch }: Pick<App, 'providerFetch'>,
  provider: Pick<Provider, 'issuer' | 'clientId' | 'clientSecret'>,
): Promise<Configuration> {
  const client = await import('openid-client');
  const { issuer, clientId, clientSecret } = provider;
  const found = await client.discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    secretTo(client, clientSecret),
    {
      [client.customFetch]: (url, { body, headers, method, signal }) => {
        const isText = typeof body === 'string' || body instanceof URLSearchParams;
        return providerFetch(url, {
          method,
          headers,
          ...(isText ? { body } : {}),
          ...(signal === undefined ? {} : { signal }),
        });
      },
      timeout: TIMEOUT_SECONDS,
      // Plain http gets no further than the ranges that the operator trusts.
      execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
    },
  );
  // The signature too, not only the connection that it came by.
  client.enableNonRepudiationChecks(found);
  return found;
}
