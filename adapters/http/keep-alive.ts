import type { ServerResponse } from 'node:http';

/** A connection without a request is kept for so long, in milliseconds: longer than proxies in front keep theirs. */
export const KEEP_ALIVE_MS = 65_000;

const HINT = ['Keep-Alive', `timeout=${KEEP_ALIVE_MS / 1_000}`] as const;
const NONE = [] as const;

/** Tells the caller how long its connection is kept; nothing where this answer ends it. Names and values in turn. */
export function keepAliveHint(res: ServerResponse): readonly string[] {
  return res.shouldKeepAlive && !res.hasHeader('Connection') ? HINT : NONE;
}
