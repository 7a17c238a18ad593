import { expect, vi } from 'vitest';
import type { Client, Reply } from '../callers/client.ts';
import { expectRefusal } from '../callers/refusals.ts';
import { isLong } from '../run/effort.ts';
import { done } from '../sellers/market.ts';

export const LIST = '/buyer/advertisers';
/** Promised of a database that is back: calls are served again within this time. A usual run has more patience. */
export const WELL_MS = isLong ? 5_000 : 30_000;
/** As many as keep the service at work; a long run asks more of it. */
const WRITERS = isLong ? 8 : 3;

export const make = (person: Client, name: string): Promise<Reply> =>
  person.post(LIST, { name, brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' });

/** A call in an outage is served or told to come again, and nothing else. */
function expectServedOrUnavailable(reply: Reply): void {
  if (reply.status >= 300) expectUnavailable(reply);
}

/** Told to come again, and when. */
export function expectUnavailable(reply: Reply): void {
  expectRefusal(reply, 503, {
    code: 'SERVICE_UNAVAILABLE',
    words: 'The database cannot do this at present.',
  });
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
}

export async function namesOf(person: Client): Promise<string[]> {
  const names: string[] = [];
  for (let more = true; more; ) {
    const { items } = done(await person.get(`${LIST}?take=100&skip=${names.length}`));
    names.push(...items.map(({ name }: { name: string }) => name));
    more = items.length === 100;
  }
  return names;
}

/** Writers that go on until they are told that it is enough; the names that were acknowledged. */
export function writing(person: Client, prefix: string) {
  const acknowledged: string[] = [];
  let refused = 0;
  let isEnough = false;
  const write = async (writer: number) => {
    for (let count = 0; !isEnough; count += 1) {
      const name = `${prefix} ${writer} ${count}`;
      const reply = await make(person, name);
      expectServedOrUnavailable(reply);
      if (reply.status === 201) acknowledged.push(name);
      else refused += 1;
    }
  };
  const all = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  // Told by \`end\`: a test that fails before has something else to say.
  all.catch(() => {});
  return {
    acknowledged,
    someMore: (more = 20) => {
      const before = acknowledged.length;
      return vi.waitUntil(() => acknowledged.length >= before + more, { timeout: WELL_MS, interval: 20 });
    },
    someRefused: (more = 5) => {
      const before = refused;
      return vi.waitUntil(() => refused >= before + more, { timeout: WELL_MS, interval: 20 });
    },
    end: async () => {
      isEnough = true;
      await all;
    },
  };
}
