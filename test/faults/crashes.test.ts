import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { idempotencyKey } from '../../tools/domain/buying/orders/order-making.ts';
import { deliveryName } from '../../tools/domain/webhooks/names.ts';
import { faultsOf } from '../support/buying/ledger.ts';
import type { Client, Reply } from '../support/callers/client.ts';
import { type Member, newMember, withStore } from '../support/callers/operator.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { faultRoundsOf, seed, timeoutOf } from '../support/run/effort.ts';
import { lookUntil } from '../support/run/looking.ts';
import { beginDiscovery } from '../support/sellers/discovery.ts';
import {
  connectAgent,
  draftCampaign,
  flightAhead,
  newAdvertiser,
  openStorefront,
} from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

const flightDates = flightAhead();

const WRITERS = 4;
const DRAFTS = 4;
const SEARCHERS = 2;
/** Acknowledged writes of a round of which the answer is asked for once more. */
const REPEATED = 12;
const ROUNDS = faultRoundsOf(2, 200);

/** When the process dies: after so many things were seen of its work, and so many turns of the event loop. */
interface Moment {
  readonly events: number;
  readonly turns: number;
}

const moments = fc.sample(
  fc.record({ events: fc.integer({ min: 1, max: 90 }), turns: fc.integer({ min: 0, max: 40 }) }),
  { seed, numRuns: ROUNDS },
);

/** What a round was told before the end. */
class Told {
  /** Orders that had come to the seller before. */
  readonly orders: number;
  /** The answers to campaigns that were acknowledged, by the key they were made under. */
  readonly made = new Map<string, Reply>();
  /** Every key that was sent, acknowledged or not. */
  readonly sent = new Set<string>();
  readonly executed = new Set<string>();

  constructor(orders: number) {
    this.orders = orders;
  }
}

describe(`after a SIGKILL under load of every kind, ${ROUNDS} rounds from seed ${seed}`, () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let authority: Authority;
  let service: Service;
  let far: SellerAgent;
  let hook: Receiver;
  let nearId: string;
  let farId: string;
  let member: Member;
  let buyer: Client;
  let advertiserId: string;
  let seen = () => {};

  beforeAll(async () => {
    authority = await newAuthority();
    database = await freshDatabase();
    // On a machine that is busy with other things a seller of ours is slow to answer, and that is no fault.
    const patience = { SELLER_CONNECT_TIMEOUT_MS: '30000', SELLER_TIMEOUT_MS: '60000' };
    settings = settingsFor(database, { OUTBOUND_CA_FILE: authority.file, ...patience });
    service = await startService({ folder: database.folder, settings });
    far = await startSellerAgent([adcpProduct('far-1')]);
    hook = await startReceiver(authority);
    nearId = (await openStorefront((await newMember(settings, 'near')).at(service.url))).storefrontId;
    farId = (await connectAgent((await newMember(settings, 'far')).at(service.url), far.url)).storefrontId;
    takeOrders();
    hook.answers((res) => {
      seen();
      res.writeHead(204).end();
    });
  });
  afterAll(async () => {
    await killServices();
    await far.stop();
    await hook.stop();
    await database.drop();
    authority.remove();
  });

  /** One buy for one key, as a seller that keeps the protocol makes it; each order is something that is seen. */
  function takeOrders(): void {
    const bought = new Map<string, object>();
    far.on('create_media_buy', (args) => {
      seen();
      const key = String(args['idempotency_key']);
      const buy = bought.get(key) ?? { media_buy_id: `buy-${key}`, status: 'active', packages: [] };
      bought.set(key, buy);
      return buy;
    });
    far.on('get_media_buys', () => ({ media_buys: [...bought.values()] }));
  }

  /** Somebody new for a round, with orders to place and somebody to tell. */
  async function prepare(): Promise<string[]> {
    member = await newMember(settings, 'buyer');
    buyer = member.at(service.url);
    // Another process made the key: the service sees it from the next turn of its event loop on.
    await vi.waitUntil(async () => (await buyer.get('/buyer/advertisers')).status === 200, {
      timeout: 10_000,
    });
    advertiserId = await newAdvertiser(buyer);
    await subscribe(buyer, hook.url);
    const drafts: string[] = [];
    for (let count = 0; count < DRAFTS; count += 1) {
      const draft = { advertiserId, each: 100, budget: 100, storefrontIds: [farId], flight: flightDates };
      drafts.push((await draftCampaign(buyer, draft)).campaignId);
    }
    return drafts;
  }

  const make = (key: string): Promise<Reply> =>
    buyer.send('/buyer/campaigns', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ advertiserId, name: key, flightDates, budget: { total: 10 } }),
    });

  /** Works until the process is gone, and notes what it was told. */
  async function load(drafts: readonly string[], told: Told): Promise<void> {
    const untilGone = async (work: (count: number) => Promise<void>) => {
      for (let count = 0; ; count += 1) {
        const isThere = await work(count).then(
          () => true,
          () => false,
        );
        if (!isThere) return;
        seen();
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      untilGone(async (count) => {
        const key = `${writer}-${count}`;
        told.sent.add(key);
        const reply = await make(key);
        expect(reply.status).toBe(201);
        told.made.set(key, reply);
      }),
    );
    const searchers = Array.from({ length: SEARCHERS }, () =>
      untilGone(async () => void (await beginDiscovery(buyer, advertiserId, [nearId]))),
    );
    const orders = drafts.map(async (id) => {
      const reply = await buyer.post(`/buyer/campaigns/${id}/execute`).catch(() => undefined);
      if (reply?.body?.data?.success === true) told.executed.add(id);
    });
    await Promise.all([...writers, ...searchers, ...orders]);
  }

  /** Ends the process amid its work, at this moment of it. */
  async function killAt({ events, turns }: Moment, drafts: readonly string[]): Promise<Told> {
    const told = new Told(ordersSoFar().length);
    let left = events;
    const due = new Promise<void>((resolve) => {
      seen = () => {
        left -= 1;
        if (left === 0) resolve();
      };
    });
    const loading = load(drafts, told);
    await due;
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect((await service.kill()).signal).toBe('SIGKILL');
    await loading;
    return told;
  }

  test(
    'no acknowledged write is lost or half done, no webhook comes twice, no buy is made twice, and the ledger adds up',
    async () => {
      for (const [round, moment] of moments.entries()) {
        const before = hook.deliveries.length;
        const drafts = await prepare();
        const told = await killAt(moment, drafts);
        const where = `round ${round}, after ${moment.events} events and ${moment.turns} turns`;
        expect(await ledgerFaults(), `${where}: the ledger as it died`).toEqual([]);

        service = await startService({ folder: database.folder, settings });
        buyer = member.at(service.url);
        await settled(drafts);

        expect(await ledgerFaults(), `${where}: the ledger, taken over`).toEqual([]);
        await expectWrites(told, drafts, where);
        await expectOrders(told, drafts, where);
        await expectDeliveries(before, where);
      }
      expect(await damage()).toBe('ok');
    },
    timeoutOf(90_000),
  );

  const ledgerFaults = () => withStore(settings, ({ db }) => faultsOf(db, member.organizationId));

  const rowsOf = <T>(work: (db: Parameters<typeof faultsOf>[0]) => Promise<T>): Promise<T> =>
    withStore(settings, ({ db }) => work(db));

  /** Looks on until no order is on its way any more. */
  async function settled(drafts: readonly string[]): Promise<void> {
    await lookUntil(
      () => buysOf(drafts),
      (buys) => buys.every(({ submission }) => submission !== 'sending'),
    );
  }

  const buysOf = (drafts: readonly string[]) =>
    rowsOf((db) =>
      db
        .selectFrom('media_buys')
        .selectAll()
        .where('organization_id', '=', member.organizationId)
        .where('campaign_id', 'in', [...drafts])
        .execute(),
    );

  /** What was acknowledged is there once and with its entry, and is answered again as it was. */
  async function expectWrites(told: Told, drafts: readonly string[], where: string): Promise<void> {
    const { campaigns, entries } = await rowsOf(async (db) => ({
      campaigns: await db
        .selectFrom('campaigns')
        .select(['id', 'name'])
        .where('organization_id', '=', member.organizationId)
        .execute(),
      entries: await db
        .selectFrom('audit_logs')
        .select('resource_id')
        .where('organization_id', '=', member.organizationId)
        .where('tool', '=', 'campaign_create')
        .execute(),
    }));
    const kept = campaigns.filter(({ id }) => !drafts.includes(id)).map(({ name }) => name);
    expect(new Set(kept).size, `${where}: made twice`).toBe(kept.length);
    expect(
      [...told.made.keys()].filter((key) => !kept.includes(key)),
      `${where}: lost`,
    ).toEqual([]);
    expect(
      kept.filter((key) => !told.sent.has(key)),
      `${where}: of nobody`,
    ).toEqual([]);
    expect(entries.map(({ resource_id: id }) => id).toSorted(), `${where}: entries of the audit log`).toEqual(
      campaigns.map(({ id }) => id).toSorted(),
    );
    for (const [key, first] of [...told.made].slice(-REPEATED)) {
      const repeat = await make(key);
      expect(repeat.text, `${where}: the repeat of ${key}`).toBe(first.text);
    }
  }

  /** Each campaign has one buy at the seller at the most, which its row knows, and one if its caller was told so. */
  async function expectOrders(told: Told, drafts: readonly string[], where: string): Promise<void> {
    const buys = await buysOf(drafts);
    const keys = new Set(ordersSoFar().slice(told.orders));
    const atSeller = buys.map((buy) => ({
      known: buy.adcp_media_buy_id,
      made: attemptsOf(buy)
        .filter((key) => keys.has(key))
        .map((key) => `buy-${key}`),
    }));
    expect(
      atSeller.filter(
        ({ known, made }) => made.length !== (known === null ? 0 : 1) || made[0] !== (known ?? undefined),
      ),
      `${where}: buys of which the seller and we think otherwise`,
    ).toEqual([]);
    expect(atSeller.flatMap(({ made }) => made).length, `${where}: buys of no row of ours`).toBe(keys.size);
    const ofCampaigns = buys.map(({ campaign_id: id }) => id);
    expect(new Set(ofCampaigns).size, `${where}: second buys`).toBe(buys.length);
    const ended = buys.map(({ campaign_id: id, status }) => ({ id, status }));
    expect(
      ended.filter(({ id, status }) => told.executed.has(id) && status !== 'ACTIVE'),
      `${where}: executed and lost`,
    ).toEqual([]);
    expect(
      [...told.executed].filter((id) => !ofCampaigns.includes(id)),
      `${where}: executed and gone`,
    ).toEqual([]);
  }

  /** The keys of all orders that came to the seller, in the order of arrival. */
  const ordersSoFar = () =>
    far.calls
      .filter(({ tool }) => tool === 'create_media_buy')
      .map(({ args }) => String(args['idempotency_key']));

  const attemptsOf = ({ id, attempt }: { id: string; attempt: number }) =>
    Array.from({ length: attempt }, (_, index) => idempotencyKey(id, index + 1));

  /** Each delivery had one attempt, and each attempt is accounted for. */
  async function expectDeliveries(before: number, where: string): Promise<void> {
    const rows = await deliveriesAtRest();
    const arrived = hook.deliveries.slice(before);
    const marks = arrived.map(({ headers }) => String(headers['x-webhook-delivery']));
    const told = arrived.map(({ payload }) => `${payload.discoveryId} ${payload.revision}`);
    expect(new Set(marks).size, `${where}: webhooks that came twice`).toBe(marks.length);
    expect(new Set(told).size, `${where}: news that came twice`).toBe(told.length);
    const delivered = rows.filter(({ state }) => state === 'delivered').map(deliveryName);
    expect(
      delivered.filter((id) => !marks.includes(id)),
      `${where}: said to be delivered`,
    ).toEqual([]);
    const others = rows.filter(({ state }) => state !== 'delivered');
    expect(
      others.filter(({ outcome }) => outcome !== 'interrupted'),
      `${where}: neither delivered nor interrupted`,
    ).toEqual([]);
    expect(others.length, `${where}: interrupted`).toBeLessThanOrEqual(1);
  }

  async function deliveriesAtRest() {
    const look = () =>
      rowsOf(async (db) => ({
        rows: await db
          .selectFrom('webhook_deliveries')
          .select(['id', 'subscription_id', 'told', 'state', 'outcome'])
          .where('organization_id', '=', member.organizationId)
          .execute(),
        collecting: await db
          .selectFrom('discovery_sessions')
          .select('id')
          .where('organization_id', '=', member.organizationId)
          .where('status', '=', 'collecting')
          .execute(),
      }));
    const isUnderWay = (state: string) => state === 'pending' || state === 'attempting';
    const { rows } = await lookUntil(
      look,
      (seen) => seen.collecting.length === 0 && !seen.rows.some(({ state }) => isUnderWay(state)),
    );
    return rows;
  }

  /** What the database says of its own pages; PostgreSQL was not killed, and looks after itself. */
  async function damage(): Promise<string> {
    if (engine !== 'sqlite') return 'ok';
    return rowsOf(async (db) => {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
      return rows[0]?.integrity_check ?? 'nothing';
    });
  }
});
