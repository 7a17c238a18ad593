import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { type MediaBuyRow, updateMediaBuy } from '../../../store/media-buys.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { isLive } from '../../../tools/domain/buying/machines.ts';
import { storeChange } from '../../../tools/domain/buying/orders/buy-writing.ts';
import { setCommitment } from '../../../tools/domain/ledger/commitments.ts';
import { fundAccount, setCreditLimit } from '../../../tools/domain/ledger/operating.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { roundsOf, seed, timeoutOf } from '../../support/run/effort.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** What breaks off a transaction whose work is done. */
class Crash extends Error {}

const CAMPAIGNS = 6;
const AT_ONCE = 8;
const answers = ['active', 'submitted', 'rejected', 'refused', 'broken'] as const;

const amount = fc.integer({ min: 0, max: 20_000 });
const which = fc.nat({ max: CAMPAIGNS - 1 });
const crashes = fc.boolean();

/** Whatever can happen to the money of an account. */
const operation = fc.oneof(
  fc.record({ kind: fc.constant('execute' as const), which, answer: fc.constantFrom(...answers) }),
  fc.record({ kind: fc.constant('change' as const), which, amount, crashes }),
  fc.record({ kind: fc.constant('deliver' as const), which, amount, crashes }),
  fc.record({
    kind: fc.constant('end' as const),
    which,
    status: fc.constantFrom('COMPLETED' as const, 'CANCELED' as const, 'REJECTED' as const),
    crashes,
  }),
  fc.record({ kind: fc.constant('fund' as const), amount }),
  fc.record({ kind: fc.constant('limit' as const), amount: fc.integer({ min: 0, max: 40_000 }) }),
);

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type Touch = Extract<Operation, { crashes: boolean }>;

describe(`the ledger, from seed ${seed}`, () => {
  let server: TestServer;
  let ada: FarSeller;
  let buyer: Person;
  let campaigns: readonly string[];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  async function begin(): Promise<void> {
    buyer = await newPerson(server, { funds: false });
    const advertiserId = await newAdvertiser(buyer);
    const made: string[] = [];
    for (let count = 0; count < CAMPAIGNS; count += 1) {
      const draft = { advertiserId, each: 100, budget: 100, storefrontIds: [ada.storefrontId] };
      made.push((await draftCampaign(buyer, draft)).campaignId);
    }
    campaigns = made;
  }

  /** One buy of a campaign as it stands, if it was executed. */
  async function buyOf(campaignId: string) {
    return server.store.db
      .selectFrom('media_buys')
      .selectAll()
      .where('organization_id', '=', buyer.organizationId)
      .where('campaign_id', '=', campaignId)
      .executeTakeFirst();
  }

  async function kindsWritten(): Promise<string[]> {
    const rows = await server.store.db
      .selectFrom('ledger_entries')
      .select('kind')
      .distinct()
      .where('organization_id', '=', buyer.organizationId)
      .orderBy('kind')
      .execute();
    return rows.map(({ kind }) => kind);
  }

  function answer(kind: (typeof answers)[number]): object {
    if (kind === 'broken') throw new Error('The seller is out of order.');
    if (kind === 'refused') return { errors: [{ code: 'INVALID_REQUEST', message: 'No.' }] };
    return { media_buy_id: 'far_1', status: kind, packages: [] };
  }

  async function run(step: Operation): Promise<unknown> {
    const { organizationId } = buyer;
    const wanted = { organizationId, currency: 'USD' };
    switch (step.kind) {
      case 'execute':
        ada.agent.on('create_media_buy', () => answer(step.answer));
        return buyer.post(`/buyer/campaigns/${campaigns[step.which]}/execute`);
      case 'fund':
        return fundAccount(server.operator, { ...wanted, amountMinor: step.amount });
      case 'limit':
        return setCreditLimit(server.operator, { ...wanted, limitMinor: step.amount });
      default:
        return touch(step);
    }
  }

  /** Changes a buy as those do who raise, lower, refresh and cancel, and now and then dies at the last moment. */
  async function touch(step: Touch): Promise<void> {
    const found = await buyOf(campaigns[step.which] ?? '');
    if (found === undefined || !isLive(found) || found.submission !== 'answered') return;
    const work = async (tx: Db) => {
      await (step.kind === 'change' ? changeBudget(tx, found, step.amount) : tell(tx, found, step));
      if (step.crashes) throw new Crash();
    };
    await server.store.transaction(work).catch((error: unknown) => {
      if (!(error instanceof Crash || (error instanceof AppError && error.status === 402))) throw error;
    });
  }

  async function changeBudget(tx: Db, buy: MediaBuyRow, budget_minor: number): Promise<void> {
    const { id, version } = buy;
    const tenant = makeTenant(buy.organization_id);
    const row = await updateMediaBuy(tx, tenant, { id, version, set: { budget_minor } });
    if (row === undefined) throw new Crash();
    const posted = { by: 'test', now: server.operator.now };
    await setCommitment(tx, { buy, amountMinor: budget_minor, why: 'Changed' }, posted);
  }

  function tell(tx: Db, buy: MediaBuyRow, step: Exclude<Touch, { kind: 'change' }>) {
    const change = step.kind === 'end' ? { status: step.status } : { spend_minor: step.amount };
    const { limits } = server.running.app.services;
    return storeChange(tx, buy, { limits, change, now: server.operator.now, updatedBy: 'seller' });
  }

  test(
    'adds up, and agrees with the buys, whatever happened at once and broke off',
    async () => {
      for (let round = 0; round < roundsOf(3, 60); round += 1) {
        await begin();
        const operations = fc.sample(operation, { numRuns: 80, seed: seed + round });
        for (let first = 0; first < operations.length; first += AT_ONCE) {
          await Promise.all(operations.slice(first, first + AT_ONCE).map(run));
          expect(await faultsOf(server.store.db, buyer.organizationId), `round ${round}, ${first}`).toEqual(
            [],
          );
        }
        expect(await kindsWritten(), `round ${round}`).toEqual(['commit', 'credit_limit', 'fund', 'release']);
      }
    },
    timeoutOf(60_000),
  );

  test('is seen to be wrong where one cent is missing', async () => {
    await begin();
    const { organizationId } = buyer;
    await setCreditLimit(server.operator, { organizationId, currency: 'USD', limitMinor: 20_000 });
    await run({ kind: 'execute', which: 0, answer: 'active' });
    await run({ kind: 'execute', which: 1, answer: 'active' });
    const { db } = server.store;
    expect(await faultsOf(db, organizationId)).toEqual([]);

    await db
      .updateTable('ledger_entries')
      .set({ amount_minor: 9_999 })
      .where('organization_id', '=', organizationId)
      .where('sequence', '=', 2)
      .execute();

    expect(await faultsOf(db, organizationId)).toHaveLength(2);
  });
});
