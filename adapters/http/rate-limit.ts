import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Tier } from '../../store/organizations.ts';
import type { Caller } from '../../tools/context.ts';
import type { Surface } from '../../tools/define.ts';
import { rateLimited } from '../../tools/errors.ts';
import type { Config } from '../config.ts';
import { isLoopback } from './client-ip.ts';

const WINDOW_SECONDS = 60;

export type Headers = Record<string, string>;

/** Counts requests and says so in headers; throws RATE_LIMITED over the limit, the headers filled all the same. */
export interface RateLimits {
  countIp(ip: string, headers: Headers): Promise<void>;
  /** Counts for the account that the caller works in on this surface. */
  countAccount(caller: Caller, surface: Surface, headers: Headers): Promise<void>;
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
    countIp: async (ip, headers) => {
      if (spareLoopback && isLoopback(ip)) return;
      await count(perIp, networkOf(ip), headers);
    },
    countAccount: (caller, surface, headers) =>
      count(perTier[caller.tier], accountOf(caller, surface), headers),
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

async function count(limiter: RateLimiterMemory, key: string, headers: Headers): Promise<void> {
  try {
    describe(limiter, await limiter.consume(key), headers);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    describe(limiter, refused, headers);
    throw rateLimited(secondsLeft(refused));
  }
}

function secondsLeft(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}

/** Both spellings of the IETF draft: separate headers (draft 6) and the combined one (draft 7). */
function describe(limiter: RateLimiterMemory, state: RateLimiterRes, headers: Headers): void {
  const limit = limiter.points;
  const remaining = Math.max(0, state.remainingPoints);
  const reset = secondsLeft(state);
  headers['RateLimit-Limit'] = String(limit);
  headers['RateLimit-Remaining'] = String(remaining);
  headers['RateLimit-Reset'] = String(reset);
  headers['RateLimit-Policy'] = `${limit};w=${WINDOW_SECONDS}`;
  headers['RateLimit'] = `limit=${limit}, remaining=${remaining}, reset=${reset}`;
}
