import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { isLong, timeoutOf } from '../support/effort.ts';
import { connectAgent, draftCampaign, newAdvertiser } from '../support/market.ts';
import { newMember } from '../support/operator.ts';
import { type SellerAgent, startSellerAgent } from '../support/seller-agent.ts';
import { killServices, type Service, settingsFor, startService } from '../support/service.ts';

/** Callers that the service keeps busy with, and how many times as many come. */
const CALLERS = 10;
const TIMES = 5;
const CALLS = isLong ? 500 : 60;
/** Promised of what is served in an overload, as a part of the best. */
const SHARE = 0.8;

describe('five times the callers that can be served', () => {
  let database: TestDatabase;
  let service: Service;
  let far: SellerAgent;
  let buyer: Client;
  let storefrontId: string;
  let advertiserId: string;
  beforeAll(async () => {
    database = await freshDatabase();
    const settings = settingsFor(database, { RATE_LIMIT_PER_IP: '1000000' });
    far = await startSellerAgent();
    service = await startService({ folder: database.folder, settings });
    const seller = (await newMember(settings, 'far')).at(service.url);
    storefrontId = (await connectAgent(seller, far.url)).storefrontId;
    buyer = (await newMember(settings, 'buyer')).at(service.url);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await killServices();
    await far.stop();
    await database.drop();
  });

  interface Load {
    /** Calls that were served, a second. */
    readonly goodput: number;
    readonly refused: readonly Reply[];
  }

  /** So many callers share these calls, each with one at a time. */
  async function load(callers: number, calls: readonly (() => Promise<Reply>)[]): Promise<Load> {
    const waiting = [...calls];
    const refused: Reply[] = [];
    const began = performance.now();
    const goOn = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const reply = await next();
        if (reply.status !== 200) refused.push(reply);
      }
    };
    await Promise.all(Array.from({ length: callers }, goOn));
    const seconds = (performance.now() - began) / 1_000;
    return { goodput: (calls.length - refused.length) / seconds, refused };
  }

  const search = () =>
    buyer.post('/buyer/discovery/discover-products', {
      advertiserId,
      storefrontIds: [storefrontId],
      waitSeconds: 5,
    });

  async function executions(count: number): Promise<(() => Promise<Reply>)[]> {
    const drafts: string[] = [];
    for (let made = 0; made < count; made += 1) {
      drafts.push(
        (await draftCampaign(buyer, { advertiserId, each: 1, budget: 1, storefrontIds: [storefrontId] }))
          .campaignId,
      );
    }
    return drafts.map((id) => () => buyer.post(`/buyer/campaigns/${id}/execute`));
  }

  const works: Readonly<Record<string, (count: number) => Promise<(() => Promise<Reply>)[]>>> = {
    discovery: async (count) => Array.from({ length: count }, () => search),
    execute: executions,
  };

  test.each(Object.keys(works))(
    'of %s cost no more than a fifth of what is served, and who is not served is told when to come again',
    async (name) => {
      const prepare = async (count: number) => (await works[name]?.(count)) ?? [];
      await load(CALLERS, await prepare(CALLERS));
      const best = await load(CALLERS, await prepare(CALLS));
      const crowd = await load(CALLERS * TIMES, await prepare(CALLS));

      for (const { status, headers } of [...best.refused, ...crowd.refused]) {
        expect([429, 503]).toContain(status);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      if (!isLong) return;
      const said = `${name}: ${best.goodput.toFixed(0)} a second served to ${CALLERS}, ${crowd.goodput.toFixed(0)} to ${CALLERS * TIMES}, ${crowd.refused.length} refused`;
      process.stdout.write(`${said}\n`);
      expect(crowd.goodput / best.goodput, said).toBeGreaterThanOrEqual(SHARE);
    },
    timeoutOf(60_000),
  );
});
