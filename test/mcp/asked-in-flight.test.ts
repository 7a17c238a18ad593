import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { skippingClock } from '../support/run/skipping-clock.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ERAS = [
  ['in a session', 'legacy'],
  ['without one', { pin: '2026-07-28' }],
] as const;
type Mode = (typeof ERAS)[number][1];
type Choice = readonly { productId: string; salesAgentId: string; budget?: number }[];

/** Ten days with a cap of 100 a day, five of them gone: less can be spent from minute to minute. */
describe('a person who is asked about a draft in the middle of its flight', () => {
  const clock = skippingClock();
  let server: TestServer;
  let buyer: Person;
  let storefrontIds: string[];
  let campaignId: string;
  let discoveryId: string;
  let products: Choice;
  beforeAll(async () => {
    server = await startTestServer({ clock });
    const opened = await openStorefront(await newPerson(server), {
      name: 'Corner Media',
      products: ['One', 'Two'].map((name) => productFields({ name })),
    });
    storefrontIds = [opened.storefrontId];
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server);
    const begins = clock.now() + DAY_MS;
    const at = (days: number) => new Date(begins + days * DAY_MS).toISOString();
    ({ campaignId, discoveryId, products } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      storefrontIds,
      each: null,
      campaign: {
        budget: { total: 1_000, dailyCap: 100 },
        flightDates: { startDate: at(0), endDate: at(10) },
      },
    }));
    clock.skip(6 * DAY_MS);
  });

  const choose = async (chosen: Choice) =>
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));
  const leave = async (productIds: readonly string[]) =>
    done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds }));

  /** Executes; what happens before each yes is given. */
  async function executed(mode: Mode, meanwhile: (time: number) => Promise<unknown>) {
    const asked: string[] = [];
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      await meanwhile(asked.length);
      return { action: 'accept' as const, content: { confirm: true } };
    });
    const requestInit = { headers: { authorization: `Bearer ${buyer.key}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/v2/buyer`), { requestInit }),
    );
    const { structuredContent } = await client.callTool({
      name: 'campaign_execute',
      arguments: { campaignId },
    });
    await client.close();
    return { asked, said: structuredContent };
  }

  const bought = async () => {
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    return campaign.mediaBuys.reduce((sum: number, { budget }: { budget: number }) => sum + budget, 0);
  };

  describe.each(ERAS)('%s', (_, mode) => {
    test('is asked once, however many minutes the answer takes', async () => {
      const { asked, said } = await executed(mode, async () => clock.skip(3 * MINUTE_MS));

      expect(said).toMatchObject({ success: true });
      expect(asked).toEqual([expect.stringMatching(/^Spend (500\.00|499\.\d\d) USD for /)]);
      // Three minutes are 20.8 cents.
      expect(await bought()).toBeLessThan(499.8);
    });

    test('buys less than was said yes to, where the choice takes less by then', async () => {
      const { asked, said } = await executed(mode, () =>
        choose(products.map((one) => ({ ...one, budget: 100 }))),
      );

      expect(said).toMatchObject({ success: true });
      expect(asked).toHaveLength(1);
      expect(await bought()).toBe(200);
    });

    test.each<[string, () => Promise<unknown>]>([
      [
        'a larger sum',
        async () => done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { dailyCap: 180 } })),
      ],
      ['other products', () => leave(products.slice(1).map(({ productId }) => productId))],
      [
        'another campaign by name',
        async () => done(await buyer.put(`/buyer/campaigns/${campaignId}`, { name: 'Spring' })),
      ],
    ])('is asked again about %s', async (_what, change) => {
      const first = await executed(mode, async (time) => (time === 1 ? change() : undefined));

      // In a session the call ends there; without one it comes again, and is asked anew.
      if (mode === 'legacy') {
        const confirmed = first.asked[0];
        expect(first.said).toMatchObject({ code: 'CONFLICT', details: { confirmed } });
        expect(await bought()).toBe(0);
        expect((await executed(mode, async () => undefined)).said).toMatchObject({ success: true });
      } else {
        expect(first.asked).toHaveLength(2);
        expect(first.said).toMatchObject({ success: true });
      }
    });
  });
});
