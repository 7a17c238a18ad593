import type { PinnedServer } from './pinned.ts';
import type { Seed } from './seed.ts';

/** What a call of REST gave. */
export type Data = Readonly<Record<string, unknown>>;

interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly body?: unknown;
}

/** Calls a service as the buyer of the seed. */
export type Ask = (path: string, request?: Request) => Promise<Data>;

/** Anything but a success would be the measure of something else. */
export function callsOf({ url }: Pick<PinnedServer, 'url'>, { key }: Pick<Seed, 'key'>): Ask {
  return async (path, { method = 'GET', body } = {}) => {
    const response = await fetch(`${url}/api/v2/buyer${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  };
}
