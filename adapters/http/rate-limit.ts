import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Tier } from '../../store/organizations.ts';
import type { Caller } from '../../tools/context.ts';
import type { Surface } from '../../tools/define.ts';
import { rateLimited } from '../../tools/errors.ts';
import type { Config } from '../config.ts';
import { isLoopback } from './client-ip.ts';

const WINDOW_SECONDS = 60;

/** Where a caller stands in its window. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** What is counted: it keeps the last count, for the headers of its answer. */
export interface Counted {
  quota?: Quota | undefined;
}

/** Counts requests; throws RATE_LIMITED over the limit, the quota noted all the same. */
export interface RateLimits {
  countIp(ip: string, request: Counted): Promise<void>;
  /** Counts for the account that the caller works in on this surface. */
  countAccount(caller: Caller, surface: Surface, request: Counted): Promise<void>;
}

/** Per IP and per account, by tier, in fixed windows of a minute, counted in this process. */
export function createRateLimits(config: Config): RateLimits {
  const perIp = counter(config.ipRequestsPerMinute);
  const perTier: Readonly<Record<Tier, RateLimiterMemory>> = {
    basic: counter(config.basicRequestsPerMinute),
    standard: counter(config.standardRequestsPerMinute),
    premium: counter(config.premiumRequestsPerMinute),
  };
  const spareLoopback = config.environment !== 'production';
  return {
    countIp: (ip, request) =>
      spareLoopback && isLoopback(ip) ? Promise.resolve() : count(perIp, networkOf(ip), request),
    countAccount: (caller, surface, request) =>
      count(perTier[caller.tier], accountOf(caller, surface), request),
  };
}

function counter(requests: number): RateLimiterMemory {
  return new RateLimiterMemory({ points: requests, duration: WINDOW_SECONDS });
}

/** Neighbours in one IPv6 network of 64 bits are one caller: an address there costs nothing. */
function networkOf(ip: string): string {
  return ip.includes(':') ? ipaddr.IPv6.parse(ip).parts.slice(0, 4).join(':') : ip;
}

/** The account, not the credential: another key must not begin a new window. */
function accountOf({ organizationId, accounts }: Caller, surface: Surface): string {
  const account = surface === 'storefront' ? accounts.seller : (accounts.buyer ?? accounts.seller);
  return account === null ? `organization ${organizationId}` : String(account);
}

function count(limiter: RateLimiterMemory, key: string, request: Counted): Promise<void> {
  return limiter.consume(key).then(
    (state) => {
      request.quota = quotaOf(limiter, state);
    },
    (refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      request.quota = quotaOf(limiter, refused);
      throw rateLimited(request.quota.resetSeconds);
    },
  );
}

function quotaOf({ points }: RateLimiterMemory, state: RateLimiterRes): Quota {
  return {
    limit: points,
    remaining: Math.max(0, state.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
  };
}

/**
 * Both spellings of the IETF draft: separate headers (draft 6) and the combined one (draft 7). Names and
 * values in turn, as Node takes them fastest.
 */
export function quotaHeaders({ limit, remaining, resetSeconds }: Quota): string[] {
  return [
    'RateLimit-Limit',
    `${limit}`,
    'RateLimit-Remaining',
    `${remaining}`,
    'RateLimit-Reset',
    `${resetSeconds}`,
    'RateLimit-Policy',
    `${limit};w=${WINDOW_SECONDS}`,
    'RateLimit',
    `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`,
  ];
}
