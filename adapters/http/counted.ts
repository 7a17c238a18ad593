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
export function countSignIn(
  { app, req, res }: Exchange,
  what: Parameters<RateLimits['countSignIn']>[1],
): void {
  const counted: Counted = {};
  try {
    app.limits.countSignIn(clientIp(req, app.trustedProxies), what, counted);
  } finally {
    if (counted.quota !== undefined) setPairs(res, quotaHeaders(counted.quota));
  }
}
