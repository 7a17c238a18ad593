import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../tools/registry.ts';
import { walk } from '../journeys/walk.ts';
import { START } from '../support/clock.ts';
import { countingIds } from '../support/ids.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Lane, lanes, type Outcome } from '../support/tool-lanes.ts';

/** Time stands still, so that every walk sees the same; what falls due is called in real time. */
const stillClock = {
  now: () => START,
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Walks with one lane, on a server of its own where nothing happened before. */
async function walkOn(server: TestServer, lane: Lane): Promise<ReadonlyMap<string, Outcome>> {
  const seller = await newPerson(server, { roles: ['SELLER'], domain: 'seller.example' });
  const buyer = await newPerson(server, { roles: ['BUYER'], domain: 'buyer.example' });
  return (await walk(server, { lane, walkers: { seller, buyer } })).outcomes;
}

/** A request and a key have ids of their own on every lane. */
function withoutChance(value: unknown): unknown {
  const text = JSON.stringify(value).replace(/"requestId":"[^"]+"/g, '"requestId":"r"');
  return JSON.parse(text.replace(/api_key:key_[a-z0-9]+/g, 'api_key:k'));
}

describe('every tool', () => {
  const servers: TestServer[] = [];
  const walks = new Map<string, ReadonlyMap<string, Outcome>>();
  beforeAll(async () => {
    // Addresses in answers say the same on every server.
    const settings = { PUBLIC_URL: 'http://market.example' };
    for (const [name, lane] of Object.entries(lanes)) {
      const server = await startTestServer({ clock: stillClock, ids: countingIds(), settings });
      servers.push(server);
      walks.set(name, await walkOn(server, lane));
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  describe.each(Object.keys(lanes).slice(1))('over %s', (lane) => {
    test.each(tools.map(({ name }) => name))('%s gives what REST gives', (name) => {
      const tool = tools.find((one) => one.name === name);
      const rest = walks.get('REST')?.get(name);
      const mcp = walks.get(lane)?.get(name);

      expect(rest).toMatchObject({ status: tool?.rest.status ?? 200, failed: false });
      expect(mcp).toMatchObject({ status: 200, failed: false });
      const output = mcp?.content ?? {};
      // REST may show an output in the contract's wrapping.
      const shown = tool?.rest.shows === undefined ? output : tool.rest.shows.from(output);
      expect(withoutChance(shown)).toEqual(withoutChance(rest?.content));
    });
  });
});
