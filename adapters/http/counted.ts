import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from './app.ts';
import { clientIp } from './client-ip.ts';
import { type Counted, quotaHeaders, type RateLimits } from './rate-limit.ts';
import { setPairs } from './visit.ts';

interface Exchange {
  readonly app: App;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Counts a request to be let in. Its answer, a refusal too, says how near that limit is, not the general one. */
export function countSignIn(exchange: Exchange, what: Parameters<RateLimits['countSignIn']>[1]): void {
  counting(exchange, (limits, ip, counted) => limits.countSignIn(ip, what, counted));
}

/** Counts a request by its address; the answer says how near the limit is. */
export function countRequest(exchange: Exchange): void {
  counting(exchange, (limits, ip, counted) => limits.countIp(ip, counted));
}

function counting(
  { app, req, res }: Exchange,
  count: (limits: RateLimits, ip: string, counted: Counted) => void,
): void {
  const counted: Counted = {};
  try {
    count(app.limits, clientIp(req, app.trustedProxies), counted);
  } finally {
    if (counted.quota !== undefined) setPairs(res, quotaHeaders(counted.quota));
  }
}
