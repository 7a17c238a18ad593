import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { idempotencyKey } from '../../tools/domain/buying/orders/order-making.ts';
import { faultsOf } from '../support/buying/ledger.ts';
import { expectUnavailable, make, namesOf, writing } from '../support/buying/outage-writers.ts';
import type { Client, Reply } from '../support/callers/client.ts';
import { type EventFollower, followAccount, keptEvents } from '../support/callers/event-follower.ts';
import { type Member, newMember, withStore } from '../support/callers/operator.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { newPostgres, type OwnPostgres, postgresPrograms } from '../support/database/own-postgres.ts';
import { faultRoundsOf, timeoutOf } from '../support/run/effort.ts';
import { type Gate, gate } from '../support/run/gate.ts';
import { connectAgent, done, draftCampaign, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

const ROUNDS = faultRoundsOf(1, 20);
const PATIENCE = { timeout: 90_000, interval: 50 };
const programs = engine === 'postgres' ? postgresPrograms() : undefined;

if (engine === 'postgres' && programs === undefined) {
  process.stdout.write('Restarts of PostgreSQL are left out: its programs are not on this machine.\n');
}

describe.runIf(programs !== undefined)('while a service works, a database server', () => {
  let place: TestDatabase;
  let postgres: OwnPostgres;
  let settings: Readonly<Record<string, string>>;
  let service: Service;
  let far: SellerAgent;
  let member: Member;
  let buyer: Client;
  let advertiserId: string;
  let storefrontId: string;
  /** Opened when the seller may answer. */
  let answering: Gate;
  const sold = new Map<string, { media_buy_id: string; status: string; packages: object[] }>();

  beforeAll(async () => {
    place = await freshDatabase();
    postgres = await newPostgres(programs ?? '');
    settings = settingsFor(
      { ...place, url: postgres.url },
      { DATABASE_WAIT_MS: '1000', SELLER_TIMEOUT_MS: '6000', TAKEOVER_AFTER_MS: '1000' },
    );
    service = await startService({ folder: place.folder, settings });
    far = await startSellerAgent();
    storefrontId = (await connectAgent((await newMember(settings, 'far')).at(service.url), far.url))
      .storefrontId;
    member = await newMember(settings, 'buyer');
    buyer = member.at(service.url);
    advertiserId = await newAdvertiser(buyer);
    sell();
  });
  afterAll(async () => {
    await killServices();
    await far?.stop();
    await postgres?.remove();
    await place.drop();
  });

  /** One buy for one key, and one pause; what is done is done before the answer, which waits. */
  function sell(): void {
    far.on('create_media_buy', async (args) => {
      const key = String(args['idempotency_key']);
      const buy = sold.get(key) ?? { media_buy_id: `buy-${key}`, status: 'active', packages: [] };
      sold.set(key, buy);
      await answering.passed;
      return buy;
    });
    far.on('update_media_buy', async (args) => {
      const buy = [...sold.values()].find(({ media_buy_id }) => media_buy_id === args['media_buy_id']);
      if (buy === undefined) return { errors: [{ code: 'MEDIA_BUY_NOT_FOUND', message: 'Unknown.' }] };
      buy.status = 'paused';
      await answering.passed;
      return buy;
    });
    far.on('get_media_buys', () => ({ media_buys: [...sold.values()] }));
  }

  const freely = () => {
    answering = gate();
    answering.open();
  };

  /** On a machine that is busy with other things a seller of ours may be too slow to be found at once. */
  const draft = () => {
    const fields = {
      advertiserId,
      each: 100,
      budget: 100,
      storefrontIds: [storefrontId],
      flight: flightAhead(),
    };
    return vi.waitFor(async () => (await draftCampaign(buyer, fields)).campaignId, PATIENCE);
  };

  const campaignOf = async (id: string) => done(await buyer.get(`/buyer/campaigns/${id}`)).campaign;

  /** A media buy that runs. */
  async function runningBuy(): Promise<string> {
    const id = await draft();
    done(await buyer.post(`/buyer/campaigns/${id}/execute`));
    return (await campaignOf(id)).mediaBuys[0].mediaBuyId;
  }

  const goes: Readonly<Record<string, () => Promise<void>>> = {
    'that is stopped and started': () => postgres.stop(),
    'that crashes and is started': () => postgres.crash(),
  };

  test.each(Object.keys(goes))(
    '%s costs answers of 503 alone: what was under way is done once, streams go on, and nothing that was acknowledged is lost',
    async (name) => {
      for (let round = 0; round < ROUNDS; round += 1) await restart(name, `${name}, round ${round}`);
    },
    timeoutOf(180_000),
  );

  async function restart(name: string, where: string): Promise<void> {
    freely();
    const stream = followAccount(async () => service.url, member.key);
    await stream.opened;
    const known = (await keptEvents(service.url, member.key)).length;
    const mediaBuyId = await runningBuy();
    const campaignId = await draft();
    answering = gate();
    const before = far.calls.length;
    const [orders, changes] = [callsOf('create_media_buy'), callsOf('update_media_buy')];
    const calls = [
      buyer.post(`/buyer/campaigns/${campaignId}/execute`),
      buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}),
    ];
    await Promise.all([
      far.called('create_media_buy', orders + 1),
      far.called('update_media_buy', changes + 1),
    ]);
    const writers = writing(buyer, where);
    await writers.someMore();

    await goes[name]?.();
    await writers.someRefused();
    expectUnavailable(await make(buyer, 'Refused'));
    // Their sellers answer while nothing can be stored.
    answering.open();
    for (const reply of await Promise.all(calls)) expectHonest(reply);
    await postgres.start();
    await writers.someMore();
    await writers.end();

    await expectDoneOnce({ campaignId, mediaBuyId, before }, where);
    const names = await namesOf(buyer);
    expect(writers.acknowledged.filter((one) => !names.includes(one))).toEqual([]);
    expect(names).not.toContain('Refused');
    await expectTold(stream, known, where);
  }

  const callsOf = (tool: string) => far.calls.filter((call) => call.tool === tool).length;

  /** Told that it is under way, or that the service cannot say so now. */
  function expectHonest(reply: Reply): void {
    if (reply.status >= 300) expectUnavailable(reply);
  }

  /** The order has one buy at its seller, the change is confirmed, and the ledger adds up. */
  async function expectDoneOnce(
    { campaignId, mediaBuyId, before }: { campaignId: string; mediaBuyId: string; before: number },
    where: string,
  ): Promise<void> {
    await vi.waitFor(async () => {
      const [ordered] = (await campaignOf(campaignId)).mediaBuys;
      expect(ordered, where).toMatchObject({ status: 'ACTIVE' });
      const key = idempotencyKey(ordered.mediaBuyId, 1);
      expect(sold.has(key), where).toBe(true);
      const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
      expect(mediaBuy, where).toMatchObject({
        status: 'PAUSED',
        changes: [{ action: 'pause', state: 'confirmed' }],
      });
    }, PATIENCE);
    const buys = await withStore(settings, ({ db }) =>
      db.selectFrom('media_buys').select('id').where('organization_id', '=', member.organizationId).execute(),
    );
    expect(sold.size, `${where}: buys at the seller`).toBe(buys.length);
    const pauses = far.calls.slice(before).filter(({ tool }) => tool === 'update_media_buy');
    expect(new Set(pauses.map(({ args }) => args['idempotency_key'])).size, `${where}: changes`).toBe(1);
    const faults = await withStore(settings, ({ db }) => faultsOf(db, member.organizationId));
    expect(faults, where).toEqual([]);
  }

  /** The reader has had each event that is kept since it began, once, in their order. */
  async function expectTold(stream: EventFollower, known: number, where: string): Promise<void> {
    const due = (await keptEvents(service.url, member.key)).slice(known).map(({ id }) => id);
    expect(due, where).not.toEqual([]);
    await vi.waitFor(() => expect(stream.ids, where).toEqual(due), PATIENCE);
    await stream.end();
  }
});
