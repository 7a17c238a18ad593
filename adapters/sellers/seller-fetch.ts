import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import type { Dispatcher, request as undiciRequest } from 'undici';
import { type AddressGuard, literalAddress } from '../net/address-guard.ts';
import { mayReach } from '../net/reachable.ts';
import type { Config } from '../settings/config.ts';
import { Connections } from './connections.ts';
import type { Target } from './exchange.ts';
import { send } from './requests.ts';

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

interface Parts {
  readonly config: Config;
  readonly guard: AddressGuard;
  readonly ca: string | undefined;
}

/** The way to the sellers of all organizations. */
export interface SellerRoutes {
  /** The fetch for the sellers of an organization: the operator trusts some with ranges that are closed to others. */
  fetchFor(organizationId: number): Fetch;
  /** An address of a seller of an organization, to be called as often as it takes: it is checked here. */
  targetFor(organizationId: number, url: string): Promise<Target>;
  /** Whether an organization may sell through an agent at this address. */
  mayReach(url: string, organizationId: number): boolean;
  /** Aborts when nobody is called any more. */
  readonly ended: AbortSignal;
  close(): Promise<void>;
}

interface Routes {
  readonly config: Config;
  /** Opens the ranges of the settings. */
  readonly trusted: AddressGuard;
  /** Opens none. */
  readonly strict: AddressGuard;
  readonly ca: string | undefined;
}

/** Connections are not shared between the two: one that was made under trust must not serve those without. */
export function sellerRoutes({ config, trusted, strict, ca }: Routes): SellerRoutes {
  const forTrusted = sellerFetch({ config, guard: trusted, ca });
  const forOthers = sellerFetch({ config, guard: strict, ca });
  const named = new Set(config.sellerAllowedOrganizations);
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const isNamed = (organizationId: number) => named.has('*') || named.has(String(organizationId));
  const wayOf = (organizationId: number) => (isNamed(organizationId) ? forTrusted : forOthers);
  return {
    fetchFor: (organizationId) => wayOf(organizationId).fetch,
    targetFor: (organizationId, url) => wayOf(organizationId).target(url),
    mayReach: (url, organizationId) => mayReach(isNamed(organizationId) ? trusted : strict, url),
    ended: ending.signal,
    close: async () => {
      ending.abort();
      await Promise.all([forTrusted.close(), forOthers.close()]);
    },
  };
}

interface Way {
  readonly fetch: Fetch;
  target(url: string): Promise<Target>;
  close(): Promise<void>;
}

/**
 * The way to sellers and nobody else: guarded where it connects, no redirects, answers bounded. Connections are
 * kept, because a seller is asked often. Plain http is for ranges the operator trusts.
 */
export function sellerFetch(parts: Parts): Way {
  const { config, guard } = parts;
  const maxBytes = config.sellerResponseMaxBytes;
  let ways: Promise<Ways> | undefined;
  const wayTo = async (url: URL): Promise<Route & Pick<Ways, 'request'>> => {
    refuseLiteral(url, guard);
    ways ??= openWays(parts);
    const { request, secure, plain } = await ways;
    return { request, ...(url.protocol === 'https:' ? secure : plain) };
  };
  return {
    fetch: async (input, init) => {
      const url = new URL(input);
      const { request, dispatcher } = await wayTo(url);
      return send({ request, dispatcher, url, init, maxBytes });
    },
    target: async (address) => {
      const url = new URL(address);
      const { connections } = await wayTo(url);
      return { connections, origin: url.origin, path: `${url.pathname}${url.search}`, maxBytes };
    },
    close: async () => {
      const opened = await ways;
      const routes = opened === undefined ? [] : [opened.secure, opened.plain];
      await Promise.all(routes.flatMap((route) => [route.dispatcher.destroy(), route.connections.destroy()]));
    },
  };
}

/** For a request now and then, and for many that are posted. */
interface Route {
  readonly dispatcher: Dispatcher;
  readonly connections: Connections;
}

interface Ways {
  readonly request: typeof undiciRequest;
  readonly secure: Route;
  readonly plain: Route;
}

/** Loaded when the first seller is called: a service that waits for callers is ready sooner. */
async function openWays({ config, guard, ca }: Parts): Promise<Ways> {
  const { Agent, buildConnector, Client, request } = await import('undici');
  const timeouts = { headersTimeout: config.sellerTimeoutMs, bodyTimeout: config.sellerTimeoutMs };
  const routeBy = (lookup: LookupFunction): Route => {
    // One for all: what was agreed on with a server serves its next connection.
    const connect = buildConnector({
      timeout: config.sellerConnectTimeoutMs,
      lookup,
      ...(ca === undefined ? {} : { ca }),
    });
    const open = (origin: string) => new Client(origin, { ...timeouts, connect });
    return { dispatcher: new Agent({ ...timeouts, connect }), connections: new Connections(open) };
  };
  return { request, secure: routeBy(guard.lookup), plain: routeBy(guard.trustedLookup) };
}

/** A literal address never meets a lookup. */
function refuseLiteral(url: URL, guard: AddressGuard): void {
  const address = literalAddress(url);
  if (address === undefined) return;
  const fine = url.protocol === 'https:' ? guard.isAllowed(address) : guard.isTrusted(address);
  if (!fine) throw guard.block(address);
}
