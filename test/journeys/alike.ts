import { newPerson } from '../support/callers/people.ts';
import { START } from '../support/run/clock.ts';
import { countingIds } from '../support/run/ids.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { type Walked, type WalkOptions, walk } from './walk.ts';

/** Time stands still, so that every walk sees the same; what falls due is called in real time. */
const stillClock = {
  now: () => START,
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A walk on a server of its own where nothing happened before: two of them give the same. */
export async function walkAlike(options: WalkOptions): Promise<Walked & { readonly server: TestServer }> {
  // Addresses in answers say the same on every server.
  const settings = { PUBLIC_URL: 'http://market.example' };
  const server = await startTestServer({ clock: stillClock, ids: countingIds(), settings });
  const seller = await newPerson(server, { roles: ['SELLER'], domain: 'seller.example' });
  const buyer = await newPerson(server, { roles: ['BUYER'], domain: 'buyer.example' });
  return { ...(await walk(server, { ...options, walkers: { seller, buyer } })), server };
}

/** A request and a key have ids of their own on every walk. */
export function withoutChance(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/"requestId":"[^"]+"/g, '"requestId":"r"')
    .replace(/"accessClientSecret":"[^"]+"/g, '"accessClientSecret":"s"')
    .replace(/"userEmail":"[^"]+"/g, '"userEmail":"e"')
    .replace(/Organization \d+/g, 'Organization o')
    .replace(/Person [0-9a-f]{4}/g, 'Person p');
  return JSON.parse(text.replace(/api_key:key_[a-z0-9]+/g, 'api_key:k'));
}
