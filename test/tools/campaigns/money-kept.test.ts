import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { roundsOf, seed, timeoutOf } from '../../support/run/effort.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { type SpendingSeller, spendingSeller } from '../../support/sellers/spending-seller.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 4;
const STEPS = 20;
const CAP = 100;
/** What may be beyond: the clock runs while a call is under way, and budgets are whole cents. */
const TOLERANCE = 0.1;

const numberBetween = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Mostly up: in small steps by a part of its budget, or by a part of the room there is, which two together pass. */
const change = fc.record({
  which: fc.nat({ max: 1 }),
  by: fc.oneof(
    { weight: 3, arbitrary: fc.record({ budget: numberBetween(0.01, 0.15) }) },
    { weight: 2, arbitrary: fc.record({ budget: numberBetween(-0.2, -0.01) }) },
    { weight: 2, arbitrary: fc.record({ room: numberBetween(0.4, 0.9) }) },
  ),
});
const raise = fc.record({ room: numberBetween(0.4, 0.9) });
/** A change, now and then with a raise of the other media buy between its reading and its writing. */
const step = fc.record({
  change,
  within: fc.oneof(fc.constant(null), raise),
  hours: fc.oneof(fc.constant(0), fc.nat({ max: 9 })),
});
const round = fc.record({
  each: fc.integer({ min: 110, max: 190 }),
  steps: fc.array(step, { minLength: STEPS, maxLength: STEPS }),
});

interface Change {
  readonly which: number;
  readonly by: { readonly budget: number } | { readonly room: number };
}
interface Step {
  readonly change: Change;
  readonly within: Change['by'] | null;
  readonly hours: number;
}

/**
 * What is spent is told by sellers that spend by themselves, each package evenly to its end: nothing of ours reckons
 * it.
 */
describe(`what a campaign of ${DAYS} days spends, from seed ${seed}`, () => {
  const clock = skippingClock();
  const between = writesBeforeStoring('media_buy_update');
  let server: TestServer;
  let far: readonly FarSeller[];
  let market: readonly SpendingSeller[];
  let buyer: Person;
  let campaign: string;
  let begins: number;
  let calls = { made: 0, taken: 0 };
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
    server = await startTestServer({ clock, families: between.families, settings });
    far = [await farSeller(server, 'Ada'), await farSeller(server, 'Bea')];
    buyer = await newPerson(server);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(far.map(({ agent }) => agent.stop()));
  });

  const at = (days: number) => new Date(begins + days * DAY_MS).toISOString();
  const read = async () => done(await buyer.get(campaign)).campaign;

  /** It begins at the next midnight, with one media buy a seller, and may spend its cap on each of its days. */
  async function begin(each: number): Promise<void> {
    begins = Math.ceil((clock.now() + HOUR_MS) / DAY_MS) * DAY_MS;
    market = far.map((seller) => spendingSeller(seller, begins));
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      each,
      storefrontIds: far.map(({ storefrontId }) => storefrontId),
      campaign: {
        budget: { total: CAP * DAYS, dailyCap: CAP },
        flightDates: { startDate: at(0), endDate: at(DAYS) },
      },
    });
    campaign = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${campaign}/execute`));
    clock.skip(begins - clock.now());
  }

  async function make({ which, by }: Change): Promise<void> {
    const { mediaBuys, unallocatedBudget } = await read();
    const { mediaBuyId, packages } = mediaBuys[which];
    const [{ packageId, budget: had }] = packages;
    const more = 'room' in by ? unallocatedBudget * by.room : had * by.budget;
    const budget = Math.floor((had + more) * 100) / 100;
    const reply = await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget }] });
    expect(reply.status, reply.text).toBeLessThan(500);
    calls = { made: calls.made + 1, taken: calls.taken + (reply.status < 300 ? 1 : 0) };
  }

  async function take({ change: wanted, within, hours }: Step): Promise<void> {
    clock.skip(hours * HOUR_MS);
    for (const seller of market) seller.spendUntil(clock.now());
    between.next(async () => (within === null ? undefined : make({ which: 1 - wanted.which, by: within })));
    await make(wanted);
    between.next(async () => {});
  }

  const spentOn = (day: string) => market.reduce((sum, seller) => sum + seller.spentOn(day), 0);

  /** What is beyond what may be spent, by now and once the flight is over. */
  async function wrong(): Promise<string[]> {
    const { unallocatedBudget, allocatedBudget } = await read();
    const days = Array.from({ length: DAYS }, (_, index) => at(index).slice(0, 10));
    const spent = days.map((day) => `${day}: ${spentOn(day).toFixed(2)}`);
    const over = days.filter((day) => spentOn(day) > CAP + TOLERANCE);
    return [
      ...(over.length > 0 ? [`over the cap on ${over.join()} of ${spent.join()}`] : []),
      ...(unallocatedBudget < 0 ? [`${allocatedBudget} of ${CAP * DAYS}`] : []),
    ];
  }

  test(
    'is never more a day than its cap, and never more in all than its budget, whatever is raised between',
    async () => {
      const rounds = fc.sample(fc.noBias(round), { numRuns: roundsOf(3, 60), seed });
      for (const [index, { each, steps }] of rounds.entries()) {
        await begin(each);
        for (const [number, one] of steps.entries()) {
          await take(one);
          expect(await wrong(), `round ${index}, step ${number}`).toEqual([]);
        }
        clock.skip(Math.max(0, begins + DAYS * DAY_MS - clock.now()));
        for (const seller of market) seller.spendUntil(clock.now());
        expect(await wrong(), `round ${index}, at its end`).toEqual([]);
      }
      // Else it would hold of calls that are all refused.
      expect(calls.taken).toBeGreaterThan(calls.made / 3);
    },
    timeoutOf(120_000),
  );
});
