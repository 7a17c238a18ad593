import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deliveryName } from '../../tools/domain/webhooks/names.ts';
import { faultsOf } from '../support/buying/ledger.ts';
import type { Client, Reply } from '../support/callers/client.ts';
import { type EventFollower, followAccount, keptEvents } from '../support/callers/event-follower.ts';
import type { ServerEvent } from '../support/callers/event-reader.ts';
import { type Member, newMember, withStore } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { faultRoundsOf, seed, timeoutOf } from '../support/run/effort.ts';
import { type Gate, gate } from '../support/run/gate.ts';
import { type KeptBuys, takesChanges } from '../support/sellers/changing-seller.ts';
import {
  connectAgent,
  done,
  draftCampaign,
  executed,
  flightAhead,
  newAdvertiser,
} from '../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { killServices, type Service, settingsFor, startService } from '../support/server/service.ts';

const BUYS = 4;
const DEEDS = 60;
const RAISE = 7;
const ROUNDS = faultRoundsOf(2, 200);
const PATIENCE = { timeout: 60_000, interval: 50 };

/** What a kill waits for: a call that came to the seller, an answer of the seller, or of ours, that is out. */
const things = ['request', 'answer', 'reply'] as const;
type Thing = (typeof things)[number];

type Deed = 'raise' | 'turn' | 'rename' | 'cancel';

interface Round {
  readonly thing: Thing;
  readonly count: number;
  /** Of the event loop, between that and the kill: none at the planned points. */
  readonly turns: number;
  /** What is done to each buy, one after the other. */
  readonly deeds: readonly (readonly Deed[])[];
}

const deed = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<Deed>('raise', 'turn', 'rename') },
  { weight: 1, arbitrary: fc.constant<Deed>('cancel') },
);
const rounds = fc.sample(
  fc.record({
    thing: fc.constantFrom(...things),
    count: fc.integer({ min: 1, max: 40 }),
    turns: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
    deeds: fc.array(fc.array(deed, { minLength: DEEDS, maxLength: DEEDS }), {
      minLength: BUYS,
      maxLength: BUYS,
    }),
  }),
  { seed, numRuns: ROUNDS },
);

/** What a buyer has made of a media buy and its campaign. */
interface Wanted {
  readonly status: string;
  readonly budget: number;
  readonly name: string;
}

/** A media buy that runs, and what its buyer was told of it. */
class Bought {
  readonly campaignId: string;
  readonly mediaBuyId: string;
  readonly packageId: string;
  /** As it is by all that was acknowledged. */
  acknowledged: Wanted = { status: 'ACTIVE', budget: 100, name: 'Winter' };
  /** As it may be besides, by the call that the end cut off. */
  underWay: Wanted | undefined;

  constructor({
    campaignId,
    mediaBuyId,
    packageId,
  }: Pick<Bought, 'campaignId' | 'mediaBuyId' | 'packageId'>) {
    this.campaignId = campaignId;
    this.mediaBuyId = mediaBuyId;
    this.packageId = packageId;
  }

  /** What comes of a deed. */
  after(what: Deed, count: number): Wanted {
    const { acknowledged: now } = this;
    if (what === 'raise') return { ...now, budget: now.budget + RAISE };
    if (what === 'rename') return { ...now, name: `Winter ${count}` };
    if (what === 'cancel') return { ...now, status: 'CANCELED' };
    return { ...now, status: now.status === 'PAUSED' ? 'ACTIVE' : 'PAUSED' };
  }

  /** The call that does it. */
  send(buyer: Client, what: Deed, { status, budget, name }: Wanted): Promise<Reply> {
    const at = `/buyer/media-buys/${this.mediaBuyId}`;
    const { campaignId, packageId } = this;
    if (what === 'raise') return buyer.patch(at, { packages: [{ packageId, budget }] });
    if (what === 'rename') return buyer.put(`/buyer/campaigns/${campaignId}`, { name });
    if (what === 'cancel') return buyer.post(`/buyer/campaigns/${campaignId}/cancel`, {});
    return buyer.post(`${at}/${status === 'PAUSED' ? 'pause' : 'reactivate'}`, {});
  }
}

describe(`after a SIGKILL amid changes of what was bought, ${ROUNDS} rounds from seed ${seed}`, () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let authority: Authority;
  let service: Service;
  let far: SellerAgent;
  let kept: KeptBuys;
  let hook: Receiver;
  let farId: string;
  let member: Member;
  let buyer: Client;
  let seen: (thing: Thing) => void = () => {};
  /** Open while there is a service. */
  let up: Gate;

  beforeAll(async () => {
    authority = await newAuthority();
    database = await freshDatabase();
    const patience = { SELLER_CONNECT_TIMEOUT_MS: '30000', SELLER_TIMEOUT_MS: '60000' };
    settings = settingsFor(database, { OUTBOUND_CA_FILE: authority.file, ...patience });
    service = await startService({ folder: database.folder, settings });
    far = await startSellerAgent();
    kept = takesChanges({ agent: far, name: 'far' });
    far.watches((_req: IncomingMessage, res: ServerResponse) => {
      seen('request');
      res.once('finish', () => seen('answer'));
    });
    hook = await startReceiver(authority);
    farId = (await connectAgent((await newMember(settings, 'far')).at(service.url), far.url)).storefrontId;
  });
  afterAll(async () => {
    await killServices();
    await far.stop();
    await hook.stop();
    await database.drop();
    authority.remove();
  });

  /** Somebody new for a round, with media buys that run and somebody to tell. */
  async function prepare(): Promise<Bought[]> {
    seen = () => {};
    member = await newMember(settings, 'buyer');
    buyer = member.at(service.url);
    // Another process made the key: the service sees it from the next turn of its event loop on.
    await vi.waitUntil(async () => (await buyer.get('/buyer/advertisers')).status === 200, PATIENCE);
    const advertiserId = await newAdvertiser(buyer);
    const bought: Bought[] = [];
    for (let count = 0; count < BUYS; count += 1) {
      const draft = {
        advertiserId,
        each: 100,
        budget: 10_000,
        storefrontIds: [farId],
        flight: flightAhead(),
      };
      const { campaignId } = await draftCampaign(buyer, draft);
      const mediaBuyId = await executed(buyer, campaignId);
      const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
      bought.push(new Bought({ campaignId, mediaBuyId, packageId: packages[0].packageId }));
    }
    await subscribe(buyer, hook.url, { eventTypes: ['campaign.updated', 'media_buy.updated'] });
    return bought;
  }

  /** Does one thing after the other to a buy until the service is gone or nothing can be done to it any more. */
  async function work(bought: Bought, deeds: readonly Deed[]): Promise<void> {
    for (const [count, what] of deeds.entries()) {
      const wanted = bought.after(what, count);
      bought.underWay = wanted;
      const reply = await bought.send(buyer, what, wanted).catch(() => undefined);
      if (reply === undefined) return;
      expect(reply.status, `${what}: ${reply.text}`).toBe(200);
      bought.acknowledged = wanted;
      bought.underWay = undefined;
      seen('reply');
      if (what === 'cancel') return;
    }
  }

  /** Ends the process at this point of its work. */
  async function killAt({ thing, count, turns, deeds }: Round, all: readonly Bought[]): Promise<void> {
    let left = count;
    const due = new Promise<void>((resolve) => {
      seen = (what) => {
        if (what === thing) left -= 1;
        if (left === 0) resolve();
      };
    });
    const working = Promise.all(all.map((one, index) => work(one, deeds[index] ?? [])));
    await Promise.race([due, working]);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    up = gate();
    expect((await service.kill()).signal).toBe('SIGKILL');
    await working;
  }

  test(
    'no change is lost or shown wrongly, each event is told under its one id, and the ledger adds up',
    async () => {
      for (const [number, round] of rounds.entries()) {
        const where = `round ${number}, ${round.count} times ${round.thing} and ${round.turns} turns`;
        await killRound(round, where);
      }
    },
    timeoutOf(120_000),
  );

  async function killRound(round: Round, where: string): Promise<void> {
    const all = await prepare();
    up = gate();
    up.open();
    const known = await keptEvents(service.url, member.key);
    const stream = followAccount(() => up.passed.then(() => service.url), member.key, known.at(-1)?.id);
    await stream.opened;
    const [calls, arrived] = [far.calls.length, hook.deliveries.length];
    await killAt(round, all);
    expect(await ledgerFaults(), `${where}: the ledger as it died`).toEqual([]);

    service = await startService({ folder: database.folder, settings });
    buyer = member.at(service.url);
    up.open();
    await settled();

    expect(await ledgerFaults(), `${where}: the ledger, taken over`).toEqual([]);
    for (const one of all) await expectKept(one, where);
    expectCarriedOutOnce(calls, where);
    const told = (await keptEvents(service.url, member.key)).slice(known.length);
    await expectStreamed(stream, told, where);
    await expectChains(told, all, where);
    await expectDelivered(told, arrived, where);
  }

  const rowsOf = <T>(look: (db: Parameters<typeof faultsOf>[0]) => Promise<T>): Promise<T> =>
    withStore(settings, ({ db }) => look(db));

  const ledgerFaults = () => rowsOf((db) => faultsOf(db, member.organizationId));

  const changesOf = () =>
    rowsOf((db) =>
      db
        .selectFrom('media_buy_changes')
        .selectAll()
        .where('organization_id', '=', member.organizationId)
        .execute(),
    );

  /** Looks on until no change is on its way any more: each has come true. */
  async function settled(): Promise<void> {
    await vi.waitFor(async () => {
      const states = (await changesOf()).map(({ state }) => state);
      expect(states.filter((state) => state !== 'confirmed')).toEqual([]);
    }, PATIENCE);
  }

  /** A buy is as its buyer was told, or as the call under way wanted it, and its seller says the same of it. */
  async function expectKept(bought: Bought, where: string): Promise<void> {
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${bought.campaignId}`));
    const [buy] = campaign.mediaBuys;
    const shown: Wanted = { status: buy.status, budget: buy.budget, name: campaign.name };
    const due = [bought.acknowledged, bought.underWay].filter((one) => one !== undefined);
    expect(due, `${where}: shown as ${JSON.stringify(shown)}`).toContainEqual(shown);
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${bought.mediaBuyId}`));
    const atSeller = kept.get(mediaBuy.adcpMediaBuyId);
    expect(atSeller?.status.toUpperCase(), `${where}: at its seller`).toBe(shown.status);
    expect(atSeller?.packages[0]?.budget, `${where}: at its seller`).toBe(shown.budget);
  }

  /** What was sent again was sent under its key, with the same words. */
  function expectCarriedOutOnce(before: number, where: string): void {
    const words = new Map<unknown, object>();
    for (const { tool, args } of far.calls.slice(before)) {
      if (tool !== 'update_media_buy') continue;
      const key = args['idempotency_key'];
      expect(args, `${where}: sent again`).toEqual(words.get(key) ?? args);
      words.set(key, args);
    }
  }

  /** The reader has had each event once, in their order. */
  async function expectStreamed(stream: EventFollower, told: readonly ServerEvent[], where: string) {
    const ids = told.map(({ id }) => id);
    expect(new Set(ids).size, `${where}: ids`).toBe(ids.length);
    await vi.waitFor(() => expect(stream.ids, `${where}: streamed`).toEqual(ids), PATIENCE);
    await stream.end();
  }

  /** Nothing that happened is left out: each event begins where the one before ended, and the last as things are. */
  async function expectChains(told: readonly ServerEvent[], all: readonly Bought[], where: string) {
    for (const { campaignId, mediaBuyId } of all) {
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      const [buy] = campaign.mediaBuys;
      const ofBuy = told.filter(({ payload }) => payload.mediaBuyId === mediaBuyId);
      const ofCampaign = told.filter(
        ({ payload }) => payload.campaignId === campaignId && payload.mediaBuyId === undefined,
      );
      expectChain(ofBuy, { field: 'status', begin: 'ACTIVE', end: buy.status }, where);
      expectChain(ofBuy, { field: 'budget', begin: 100, end: buy.budget }, where);
      expectChain(ofCampaign, { field: 'name', begin: 'Winter', end: campaign.name }, where);
      expectChain(ofCampaign, { field: 'status', begin: 'ACTIVE', end: campaign.status }, where);
    }
  }

  /** What was told is delivered or was cut off, under the ids of the stream, and nothing is delivered twice. */
  async function expectDelivered(told: readonly ServerEvent[], before: number, where: string) {
    const ids = told.map(({ id }) => id).toSorted();
    const rows = await vi.waitFor(async () => {
      const now = await deliveries();
      expect(now.filter(({ state }) => state === 'pending' || state === 'attempting')).toEqual([]);
      return now;
    }, PATIENCE);
    expect(rows.map((row) => row.told).toSorted(), `${where}: due`).toEqual(ids);
    const arrived = hook.deliveries.slice(before);
    const marks = arrived.map(({ headers }) => String(headers['x-webhook-delivery']));
    expect(new Set(marks).size, `${where}: webhooks that came twice`).toBe(marks.length);
    expect(
      arrived.filter(({ payload }) => !ids.includes(String(payload['id']))),
      `${where}: of nothing that happened`,
    ).toEqual([]);
    const delivered = rows.filter(({ state }) => state === 'delivered').map(deliveryName);
    expect(
      delivered.filter((name) => !marks.includes(name)),
      `${where}: said to be delivered`,
    ).toEqual([]);
    const others = rows.filter(({ state }) => state !== 'delivered').map(({ outcome }) => outcome);
    expect(['', 'interrupted'], `${where}: neither delivered nor interrupted`).toContain(others.join());
  }

  const deliveries = () =>
    rowsOf((db) =>
      db
        .selectFrom('webhook_deliveries')
        .select(['id', 'subscription_id', 'told', 'state', 'outcome'])
        .where('organization_id', '=', member.organizationId)
        .execute(),
    );
});

interface Chain {
  readonly field: string;
  readonly begin: unknown;
  readonly end: unknown;
}

function expectChain(events: readonly ServerEvent[], { field, begin, end }: Chain, where: string): void {
  let last = begin;
  for (const { id, payload } of events) {
    const change = payload.changes?.[field];
    if (change === undefined) continue;
    expect(change.from, `${where}: ${field} in ${id}`).toEqual(last);
    last = change.to;
  }
  expect(last, `${where}: ${field} in the end`).toEqual(end);
}
