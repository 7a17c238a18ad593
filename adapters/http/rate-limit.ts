import ipaddr from 'ipaddr.js';
import type { Tier } from '../../store/organizations.ts';
import type { Caller } from '../../tools/core/context.ts';
import { rateLimited } from '../../tools/core/errors/refusals.ts';
import type { Clock, Tally } from '../../tools/core/ports.ts';
import type { Surface } from '../../tools/core/surfaces.ts';
import { accountOn } from '../../tools/core/surfaces.ts';
import { isLoopback } from '../net/addresses.ts';
import type { Link } from '../ports/link.ts';
import type { Config } from '../settings/config.ts';
import { AGENT_WINDOW_SECONDS, type AgentLimits, createAgentLimits } from './agent-limits.ts';
import { FixedWindows, type Quota } from './fixed-windows.ts';
import { shareCounts } from './shared-counts.ts';

const WINDOW_SECONDS = 60;
const QUARTER_SECONDS = 900;
const HOUR_SECONDS = 3_600;

/** What is counted: it keeps the count of the limit that is nearest, for the headers of its answer. */
export interface Counted {
  quota?: Quota | undefined;
  /** How many it counts for: a batch is as many as it has messages. */
  readonly messages?: number;
}

/** How many mails of a kind go to one address: of one sender, and of all who send it. */
export interface MailWindows {
  readonly ofOne: FixedWindows;
  readonly ofAll: FixedWindows;
}

/** Counts requests, one unless told; throws RATE_LIMITED over the limit, the quota noted all the same. */
export interface RateLimits {
  countIp(ip: string, request: Counted): void;
  /** Counts what an IP address asks of the addresses where people and programs are let in. */
  countSignIn(ip: string, what: 'auth' | 'registration' | 'signup', request: Counted): void;
  /** Counts for the account that the caller works in on this surface. */
  countAccount(caller: Caller, surface: Surface, request: Counted): void;
  /** Mails of a kind that went to an address. */
  readonly mails: MailWindows;
  readonly people: PeopleLimits;
  readonly agents: AgentLimits;
}

/** How often people, or who says to be one, may try. */
export interface PeopleLimits {
  /** Failed sign-ins from a network, for an address, and for an address in a browser that is known there. */
  readonly failures: Readonly<Record<'network' | 'email' | 'browser', FixedWindows>>;
  /** Mails that a network asked for. */
  readonly mailRequests: FixedWindows;
  /** Whom an IP address stands for. */
  networkOf(ip: string): string;
}

const FAILURES_SECONDS = 900;
const MAILS_SECONDS = 3_600;

/**
 * Per IP and per account, by tier, in fixed windows of a minute, for the installation: each process counts what
 * comes to it, and what the others tell of theirs (docs/decisions/0017).
 */
export function createRateLimits(
  config: Config,
  { clock, link, tally }: { readonly clock: Clock; readonly link: Link | undefined; readonly tally: Tally },
): RateLimits {
  const shared = shareCounts(clock, link);
  const windows = (name: string, limit: number, seconds = WINDOW_SECONDS) => {
    tally.limit(name);
    const over = () => tally.limited(name);
    return shared.with(name, (untold) => new FixedWindows({ limit, untold, over }, seconds, clock));
  };
  const perIp = windows('ip', config.ipRequestsPerMinute);
  const signIn = {
    auth: windows('auth', config.authRequestsPerQuarter, QUARTER_SECONDS),
    registration: windows('registration', config.registrationsPerHour, HOUR_SECONDS),
    signup: windows('signup', config.signupsPerHour, HOUR_SECONDS),
  };
  const perTier: Readonly<Record<Tier, FixedWindows>> = {
    basic: windows('basic', config.basicRequestsPerMinute),
    standard: windows('standard', config.standardRequestsPerMinute),
    premium: windows('premium', config.premiumRequestsPerMinute),
  };
  const spareLoopback = config.environment !== 'production';
  return {
    mails: {
      ofOne: windows('mails_email', config.mailsPerEmail, MAILS_SECONDS),
      ofAll: windows('mails_email_all', config.invitationsPerEmail, MAILS_SECONDS),
    },
    agents: createAgentLimits(config, (name, limit) => windows(name, limit, AGENT_WINDOW_SECONDS)),
    people: {
      failures: {
        network: windows('failures_network', config.signInFailuresPerIp, FAILURES_SECONDS),
        email: windows('failures_email', config.signInFailuresPerEmail, FAILURES_SECONDS),
        browser: windows('failures_browser', config.signInFailuresPerEmail, FAILURES_SECONDS),
      },
      mailRequests: windows('mails_network', config.mailsPerIp, MAILS_SECONDS),
      networkOf: (ip) => networkOf(ip, config.ipv6PrefixBits),
    },
    countIp: (ip, request) => {
      if (!spareLoopback || !isLoopback(ip)) {
        note(request, perIp.take(networkOf(ip, config.ipv6PrefixBits), request.messages));
      }
    },
    countSignIn: (ip, what, request) => {
      if (!spareLoopback || !isLoopback(ip)) {
        note(request, signIn[what].take(networkOf(ip, config.ipv6PrefixBits)));
      }
    },
    countAccount: (caller, surface, request) =>
      note(request, perTier[caller.tier].take(limitedAccountOf(caller, surface), request.messages)),
  };
}

/** Of the limits that count a request its answer tells the nearer one: that of them which ends first what goes on. */
function note(request: Counted, quota: Quota): void {
  const { quota: other } = request;
  if (other === undefined || quota.remaining <= other.remaining) request.quota = quota;
  if (quota.isOver) throw rateLimited(quota.resetSeconds);
}

/** Neighbours in one IPv6 network are one caller: an address there costs nothing. */
export function networkOf(ip: string, prefixBits: number): string {
  if (!ip.includes(':')) return ip;
  return ipaddr.IPv6.parse(ip)
    .parts.map((part, index) => part & maskOf(prefixBits - index * GROUP_BITS))
    .join(':');
}

const GROUP_BITS = 16;

/** The first so many bits of a group. */
function maskOf(bits: number): number {
  return bits >= GROUP_BITS ? 0xffff : bits <= 0 ? 0 : (0xffff << (GROUP_BITS - bits)) & 0xffff;
}

/** The account, not the credential: another key must not begin a new window. */
export function limitedAccountOf({ organizationId, accounts }: Caller, surface: Surface): string {
  const account = accountOn(surface, accounts);
  return account === null ? `organization ${organizationId}` : String(account);
}

/**
 * Both spellings of the IETF draft: separate headers (draft 6) and the combined one (draft 7). Names and
 * values in turn, as Node takes them fastest.
 */
export function quotaHeaders({ limit, remaining, resetSeconds, windowSeconds }: Quota): string[] {
  return [
    'RateLimit-Limit',
    `${limit}`,
    'RateLimit-Remaining',
    `${remaining}`,
    'RateLimit-Reset',
    `${resetSeconds}`,
    'RateLimit-Policy',
    `${limit};w=${windowSeconds}`,
    'RateLimit',
    `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`,
  ];
}
