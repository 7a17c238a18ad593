import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/buying/ledger.ts';
import type { Client } from '../support/callers/client.ts';
import { type Member, newMember, withStore } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { faultRoundsOf, seed, timeoutOf } from '../support/run/effort.ts';
import { gate } from '../support/run/gate.ts';
import { lookUntil } from '../support/run/looking.ts';
import { connectAgent, done, draftCampaign, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

const CAMPAIGNS = 6;

describe(`the ledger after a SIGKILL amid orders, from seed ${seed}`, () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let service: Service;
  let far: SellerAgent;
  let member: Member;
  let buyer: Client;
  let storefrontId: string;

  beforeAll(async () => {
    database = await freshDatabase();
    settings = settingsFor(database);
    service = await startService({ folder: database.folder, settings });
  });
  afterAll(async () => {
    await killServices();
    await database.drop();
  });
  beforeEach(async () => {
    far = await startSellerAgent();
    far.on('get_products', () => ({ products: [adcpProduct('far-1')] }));
    const seller = (await newMember(settings, 'far')).at(service.url);
    storefrontId = (await connectAgent(seller, far.url)).storefrontId;
    member = await newMember(settings, 'buyer');
    buyer = member.at(service.url);
  });
  afterEach(() => far.stop());

  const faults = () => withStore(settings, ({ db }) => faultsOf(db, member.organizationId));

  /** Each order has one answer, however often it is sent: taken, refused, or looked over. */
  function answerByKey(): void {
    const outcomes = ['active', 'submitted', 'refused'] as const;
    const known = new Map<string, object>();
    far.on('create_media_buy', (args) => {
      const key = String(args['idempotency_key']);
      const outcome = outcomes[(known.size + seed) % outcomes.length];
      const answer =
        known.get(key) ??
        (outcome === 'refused'
          ? { errors: [{ code: 'INVALID_REQUEST', message: 'No.' }] }
          : { media_buy_id: key, status: outcome, packages: [] });
      known.set(key, answer);
      return answer;
    });
  }

  async function draftCampaigns(): Promise<string[]> {
    const advertiserId = await newAdvertiser(buyer);
    const made: string[] = [];
    for (let count = 0; count < CAMPAIGNS; count += 1) {
      const draft = {
        advertiserId,
        each: 100,
        budget: 100,
        storefrontIds: [storefrontId],
        flight: flightAhead(),
      };
      made.push((await draftCampaign(buyer, draft)).campaignId);
    }
    return made;
  }

  /** Executes all at once, and kills the service once so many orders have come to the seller. */
  async function killAmid(campaigns: readonly string[], orders: number): Promise<void> {
    const dying = gate();
    const calls = campaigns.map((id) =>
      buyer.post(`/buyer/campaigns/${id}/execute`).catch(() => 'no answer'),
    );
    void far.called('create_media_buy', orders).then(() => dying.open());
    await dying.passed;
    const { signal } = await service.kill();
    expect(signal).toBe('SIGKILL');
    await Promise.all(calls);
  }

  /** Looks on until no order is on its way any more. */
  async function settled(campaigns: readonly string[]): Promise<void> {
    for (const id of campaigns) {
      await lookUntil(
        async () => done(await buyer.get(`/buyer/campaigns/${id}`)).campaign.mediaBuys,
        (buys: readonly { status: string }[]) => buys.every(({ status }) => status !== 'DRAFT'),
      );
    }
  }

  test(
    'adds up and agrees with the buys, before the next process has begun and after it took over',
    async () => {
      for (let round = 0; round < faultRoundsOf(1, 30); round += 1) {
        member = await newMember(settings, 'buyer');
        buyer = member.at(service.url);
        answerByKey();
        const campaigns = await draftCampaigns();
        const before = far.calls.filter(({ tool }) => tool === 'create_media_buy').length;

        await killAmid(campaigns, before + 1 + ((round + seed) % CAMPAIGNS));
        expect(await faults(), `round ${round}, as it died`).toEqual([]);

        service = await startService({ folder: database.folder, settings });
        buyer = member.at(service.url);
        await settled(campaigns);
        expect(await faults(), `round ${round}, taken over`).toEqual([]);
      }
    },
    timeoutOf(60_000),
  );
});
