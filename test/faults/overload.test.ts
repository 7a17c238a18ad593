import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../support/callers/client.ts';
import { newMember } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { isLong, timeoutOf } from '../support/run/effort.ts';
import { connectAgent, done, draftCampaign, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

/** Callers at a time until the best is found: from some number on more of them are not served faster. */
const CROWDS = isLong ? [5, 10, 20, 40, 80] : [10];
/** A crowd that is served by this much better than the one before it is worth another one. */
const BETTER = 1.05;
const TIMES = 5;
const CALLS = isLong ? 500 : 50;
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
    const limits = { RATE_LIMIT_PER_IP: '1000000', RATE_LIMIT_STANDARD: '1000000' };
    const settings = settingsFor(database, { ...limits, OVERLOAD_DELAY_MS: '250' });
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

  /** A call, and what has to be so once it was served or refused. */
  interface Work {
    call(): Promise<Reply>;
    check?(wasServed: boolean): Promise<void>;
  }

  interface Load {
    /** Calls that were served, a second. */
    readonly goodput: number;
    readonly refused: readonly Reply[];
  }

  /**
   * So many callers share these calls, each with one at a time; each of them is answered, and none half done. Where it
   * is measured, who is refused comes again when it was told to, as callers should.
   */
  async function load(callers: number, works: readonly Work[]): Promise<Load> {
    const waiting = [...works];
    const replies = new Map<Work, Reply>();
    const began = performance.now();
    // Who still waits to come again when nothing is left to do has cost nobody anything.
    let lastAnswered = began;
    const goOn = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const reply = await next.call();
        lastAnswered = performance.now();
        replies.set(next, reply);
        if (isLong && reply.status !== 200) await pause(Number(reply.headers.get('retry-after')) * 1_000);
      }
    };
    await Promise.all(Array.from({ length: callers }, goOn));
    const seconds = (lastAnswered - began) / 1_000;
    const refused = [...replies.values()].filter(({ status }) => status !== 200);
    for (const { status, headers } of refused) {
      expect([429, 503]).toContain(status);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    for (const [work, { status }] of replies) await work.check?.(status === 200);
    return { goodput: (works.length - refused.length) / seconds, refused };
  }

  const search = (): Work => ({
    call: () =>
      buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        storefrontIds: [storefrontId],
        waitSeconds: 5,
      }),
  });

  async function execution(): Promise<Work> {
    const storefrontIds = [storefrontId];
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId,
      each: 1,
      budget: 1,
      storefrontIds,
      flight: flightAhead(),
    });
    return {
      call: () => buyer.post(`/buyer/campaigns/${campaignId}/execute`),
      // Bought whole, or not at all: it can be executed as if nobody had asked.
      check: async (wasServed) => {
        const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
        expect(campaign.status).toBe(wasServed ? 'ACTIVE' : 'DRAFT');
        expect(campaign.mediaBuys).toHaveLength(wasServed ? 1 : 0);
      },
    };
  }

  const works: Readonly<Record<string, () => Work | Promise<Work>>> = {
    discovery: search,
    execute: execution,
  };

  async function worksOf(name: string, count: number): Promise<readonly Work[]> {
    const made: Work[] = [];
    for (let number = 0; number < count; number += 1)
      made.push(...[await works[name]?.()].filter((one) => one !== undefined));
    return made;
  }

  /** Rising crowds until one is served no better than the one before it. */
  async function bestOf(name: string): Promise<{ readonly callers: number; readonly goodput: number }> {
    let best = { callers: 0, goodput: 0 };
    for (const callers of CROWDS) {
      const { goodput } = await load(callers, await worksOf(name, CALLS));
      const isBetter = goodput > best.goodput * BETTER;
      if (isBetter) best = { callers, goodput };
      else break;
    }
    return best;
  }

  test.each(Object.keys(works))(
    'of %s cost no more than a fifth of what is served, and who is not served is told when to come again',
    async (name) => {
      const first = CROWDS[0] ?? 1;
      await load(first, await worksOf(name, first));
      const best = await bestOf(name);
      const callers = best.callers * TIMES;
      const crowd = await load(callers, await worksOf(name, CALLS));

      const said = `${name}: ${best.goodput.toFixed(0)} a second served to ${best.callers}, ${crowd.goodput.toFixed(0)} to ${callers}, ${crowd.refused.length} refused`;
      if (isLong) process.stdout.write(`${said}\n`);
      if (isLong) expect(crowd.goodput / best.goodput, said).toBeGreaterThanOrEqual(SHARE);
    },
    timeoutOf(120_000),
  );
});
