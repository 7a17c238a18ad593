import { sql } from 'kysely';
import { fundAccount, setCreditLimit } from '../../../tools/domain/ledger/operating.ts';
import { newPerson, type Person } from '../callers/people.ts';
import { tenantTables } from '../database/tenant-tables.ts';
import type { SkippingClock } from '../run/skipping-clock.ts';
import { takesChanges } from '../sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../sellers/market.ts';
import type { TestServer } from '../server/server.ts';
import { putStatus } from './campaign-status.ts';
import { putBuys } from './running-campaign.ts';

/** A buyer with money that is counted, and one seller far away that takes orders and changes of them. */
export interface MoneyWorld {
  readonly server: TestServer;
  readonly clock: SkippingClock;
  readonly far: FarSeller;
  readonly buyer: Person;
  readonly advertiserId: string;
}

/** A campaign, and what it has at its seller. */
export interface Bought {
  readonly campaignId: string;
  readonly mediaBuyId: string;
  readonly packageId: string;
}

export const DAY_MS = 86_400_000;

/** 60 USD paid in, and 50 of credit. */
export async function moneyWorld({
  server,
  clock,
}: Pick<MoneyWorld, 'server' | 'clock'>): Promise<MoneyWorld> {
  const far = await farSeller(server, 'Far');
  takesChanges(far);
  const buyer = await newPerson(server, { funds: false });
  const { organizationId } = buyer;
  await fundAccount(server.operator, { organizationId, currency: 'USD', amountMinor: 6_000 });
  await creditOf({ server, buyer }, 50);
  return { server, clock, far, buyer, advertiserId: await newAdvertiser(buyer) };
}

export function creditOf({ server, buyer }: Pick<MoneyWorld, 'server' | 'buyer'>, credit: number) {
  const { organizationId } = buyer;
  return setCreditLimit(server.operator, { organizationId, currency: 'USD', limitMinor: credit * 100 });
}

/** Ten days from the next midnight on. */
export function tenDays({ clock }: Pick<MoneyWorld, 'clock'>) {
  const begins = Math.ceil((clock.now() + DAY_MS / 24) / DAY_MS) * DAY_MS;
  const at = (days: number) => new Date(begins + days * DAY_MS).toISOString();
  return { begins, flightDates: { startDate: at(0), endDate: at(10) } };
}

interface Wanted {
  readonly each?: number | null;
  readonly budget?: number;
  /** Further fields of the campaign. */
  readonly campaign?: object;
}

/** A draft of 1,000 in all that is to buy each product of the seller, for 100 unless told otherwise. */
export async function draftIn(
  world: MoneyWorld,
  { each = 100, budget = 1_000, campaign = {} }: Wanted = {},
): Promise<string> {
  const { buyer, advertiserId, far } = world;
  const { campaignId } = await draftCampaign(buyer, {
    advertiserId,
    each,
    budget,
    storefrontIds: [far.storefrontId],
    campaign: { flightDates: tenDays(world).flightDates, ...campaign },
  });
  return campaignId;
}

/** The same once its seller has it, or has refused it. */
export async function boughtIn(world: MoneyWorld, wanted: Wanted = {}): Promise<Bought> {
  const campaignId = await draftIn(world, wanted);
  done(await world.buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const [{ mediaBuyId, packages }] = done(await world.buyer.get(`/buyer/campaigns/${campaignId}`)).campaign
    .mediaBuys;
  return { campaignId, mediaBuyId, packageId: packages?.[0]?.packageId };
}

/** Ten days for 100 at most 20 a day, of which six went by in a pause: four are left, at 25 a day. */
export async function longPausedIn(world: MoneyWorld): Promise<Bought> {
  const { begins, flightDates } = tenDays(world);
  world.far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
  const bought = await boughtIn(world, { campaign: { flightDates, budget: { total: 1_000, dailyCap: 20 } } });
  world.clock.skip(begins - world.clock.now());
  done(await world.buyer.post(`/buyer/campaigns/${bought.campaignId}/pause`));
  world.clock.skip(6 * DAY_MS);
  return bought;
}

/** The same once its seller holds it; nobody has asked the seller yet what it can change. */
export async function pausedIn(world: MoneyWorld): Promise<Bought> {
  const bought = await boughtIn(world);
  const { server, buyer } = world;
  const { campaignId } = bought;
  await putStatus(server, buyer, { campaignId, status: 'PAUSED' });
  await putBuys(server, { campaignId, status: 'PAUSED' });
  return bought;
}

/** As if the operator had ended every rule of the account. */
export async function unpricedIn({ server, buyer }: Pick<MoneyWorld, 'server' | 'buyer'>): Promise<void> {
  await server.store.db
    .updateTable('pricing_rules')
    .set({ ended_at: server.operator.now })
    .where('organization_id', '=', buyer.organizationId)
    .execute();
}

/** The seller refuses every order from now on. */
export function refusesOrders({ far }: Pick<MoneyWorld, 'far'>): void {
  far.agent.on('create_media_buy', () => ({
    errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.', recovery: 'correctable' }],
  }));
}

/** Nobody knows whether the seller took an order. */
export function losesOrders({ far }: Pick<MoneyWorld, 'far'>): void {
  far.agent.on('create_media_buy', () => {
    throw new Error('out of order');
  });
}

/** What a refused call may add to: who called, and what became of it. */
const WRITTEN_OF_CALLS: ReadonlySet<string> = new Set(['audit_logs', 'api_keys', 'web_sessions']);

/** Every row of the buyer's organization, and what its seller was asked to do. */
export async function everythingOf({ server, buyer, far }: MoneyWorld): Promise<object> {
  const db = server.store.db.withoutPlugins();
  const tables: Record<string, unknown[]> = {};
  for (const name of tenantTables) {
    if (WRITTEN_OF_CALLS.has(name)) continue;
    const { rows } = await sql`
      select * from ${sql.table(name)} where organization_id = ${buyer.organizationId}`.execute(db);
    if (rows.length > 0) tables[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  const told = far.agent.calls.filter(({ tool }) => /^(?:create|update)_media_buy$/.test(tool));
  return { tables, told };
}
