import { listGroupNames } from '../../../../store/discovery-groups.ts';
import { findProductPlaces, sumBytes } from '../../../../store/discovery-products.ts';
import { findProposals } from '../../../../store/discovery-proposals.ts';
import {
  type DiscoveryAgentRow,
  type DiscoverySessionRow,
  listAgents,
  type RefinementItem,
  reopenSession,
} from '../../../../store/discovery-sessions.ts';
import { toJson } from '../../../../store/engine/codec.ts';
import { findSeller, listSellers } from '../../../../store/unscoped/market.ts';
import type { Context } from '../../../core/context.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { requireActive } from '../../advertisers/active.ts';
import { accountsAtSellers } from '../../advertisers/linked-accounts.ts';
import { reachAdvertiser } from '../../advertisers/reach.ts';
import { buyingParty } from '../../buying/choice/party.ts';
import { openedWith } from '../../discovery-opening.ts';
import type { Seller } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { toldBy } from '../asking/agent-results.ts';
import { type Brought, type Collection, collect } from '../asking/collect.ts';
import { sessionMachine } from '../machines.ts';
import { hasRoomForRound, roomToCollect } from '../quotas.ts';
import { isOmission, type Placed, requireSound } from '../refinement.ts';
import { queryOf } from './open-session.ts';

/** Sellers of a product or a proposal of one id: of so many it is looked for. */
const SELLERS_EACH = 20;

interface Asking {
  readonly items: readonly RefinementItem[];
  readonly debug: boolean;
}

/** Asks the sellers of a session once more, those that the items are about. */
export async function askAgain(
  ctx: Context,
  session: DiscoverySessionRow,
  asking: Asking,
): Promise<DiscoverySessionRow> {
  if (openedWith(session).offerId !== undefined) {
    throw conflict(
      'What a seller offers by a code is taken as it is.',
      'Choose of it with discovery_add_products, ask the seller for another code, or call discover_products without one.',
    );
  }
  if (await hasRoomForRound(ctx, session.id)) return startRound(ctx, session, asking);
  throw conflict(
    'The session has been refined so often that its revisions take the room it has.',
    'Begin another session with discover_products: without discoveryId, with the brief as it is by now.',
  );
}

/** What the sellers answer takes the place of what they brought before. */
export async function startRound(
  ctx: Context,
  session: DiscoverySessionRow,
  { items, debug }: Asking,
): Promise<DiscoverySessionRow> {
  const status = next(sessionMachine, session.status, 'askedAgain');
  if (status === undefined) throw stillCollecting();
  const { collection, agents } = await openRound(ctx, { ...session, status }, { items, debug });
  await ctx.write(
    async (tx) => {
      await roomToCollect(ctx, tx, session.id);
      const reopened = { session: collection.session, agents };
      if (!(await reopenSession(tx, ctx.scope, reopened))) throw stillCollecting();
    },
    { resourceId: session.id, advertiserId: session.advertiser_id },
  );
  ctx.services.ports.background.run('discovery', (stop) => collect(ctx.services, collection, stop));
  return collection.session;
}

function stillCollecting() {
  return conflict(
    'The session still collects: its sellers are being asked.',
    'Wait until resultsComplete is true with browse_products, then refine.',
  );
}

async function openRound(
  ctx: Context,
  before: DiscoverySessionRow,
  { items, debug }: Asking,
): Promise<{ collection: Collection; agents: readonly DiscoveryAgentRow[] }> {
  const advertiser = await reachAdvertiser(ctx, before.advertiser_id);
  requireActive(advertiser);
  const all = await listAgents(ctx.db, ctx.scope, before.id);
  const asked = await askedOf(ctx, before, { items, agents: all });
  const sellers = await sellersAsked(ctx, all, asked);
  const ids = new Set(sellers.map(({ agentId }) => agentId));
  const request = openedWith(before);
  const session: DiscoverySessionRow = {
    ...before,
    completed_at: null,
    owner: ctx.services.processId,
    asked_at: ctx.now,
    refinement: items.length === 0 ? null : toJson(items),
  };
  const pending = all.filter(({ agent_id }) => ids.has(agent_id)).map(asPending);
  const others = all.filter(({ agent_id }) => !ids.has(agent_id));
  const groups = await listGroupNames(ctx.db, ctx.scope, before.id);
  const bytes = await sumBytes(ctx.db, ctx.scope, { id: before.id, notOf: [...ids] });
  const collection: Collection = {
    session,
    sellers,
    agents: pending,
    query: queryOf(request, await buyingParty(ctx, advertiser)),
    accounts: await accountsAtSellers(ctx, advertiser),
    filter: request,
    debug,
    round: {
      asked,
      before: broughtBy(pending, groups),
      position: Math.max(0, ...groups.map(({ position }) => position)),
      others: { products: others.reduce((sum, { products }) => sum + products, 0), bytes },
      incomplete: others.filter(({ state }) => state === 'incomplete'),
    },
  };
  return { collection, agents: [...pending, ...others.flatMap(forgetful)] };
}

/** What each of these sellers brought, by its agent. There may be very many of both: each is looked at once. */
export function broughtBy(
  agents: readonly DiscoveryAgentRow[],
  groups: Brought['groups'],
): ReadonlyMap<string, Brought> {
  const own = new Map<string, Brought['groups'][number][]>(agents.map(({ agent_id }) => [agent_id, []]));
  for (const group of groups) own.get(group.agent_id)?.push(group);
  return new Map(
    agents.map(({ agent_id, invalid_products: invalidProducts }) => [
      agent_id,
      { groups: own.get(agent_id) ?? [], invalidProducts },
    ]),
  );
}

/** Asked once more; its products stay counted until it answers. */
function asPending(agent: DiscoveryAgentRow): DiscoveryAgentRow {
  return {
    ...agent,
    state: 'pending',
    reason: null,
    message: null,
    settled_at: null,
    response_ms: null,
    told: null,
  };
}

/** What an earlier round came to says nothing of this one. */
function forgetful(agent: DiscoveryAgentRow): DiscoveryAgentRow[] {
  const { refinement, ...told } = toldBy(agent);
  return refinement === undefined ? [] : [{ ...agent, told: toJson(told) }];
}

/** What each seller is asked, by its agent: all of them where the request is meant, or nothing is said. */
async function askedOf(
  ctx: Context,
  { id }: DiscoverySessionRow,
  { items, agents }: { items: readonly RefinementItem[]; agents: readonly DiscoveryAgentRow[] },
): Promise<ReadonlyMap<string, Placed[]>> {
  const everybody = agents.map(({ agent_id }) => agent_id);
  const asked = new Map<string, Placed[]>();
  if (items.length === 0) return new Map(everybody.map((agentId) => [agentId, []]));
  const owners = await ownersOf(ctx, id, items);
  const lost = items.flatMap((item, index) => {
    const meant = item.scope === 'request' ? everybody : ownersAmong(owners, item);
    for (const agentId of meant) asked.set(agentId, [...(asked.get(agentId) ?? []), { index, item }]);
    const isLost = item.scope !== 'request' && meant.length === 0;
    return isLost ? [{ path: `refine.${index}.id`, message: `This session has no such ${item.scope}.` }] : [];
  });
  requireSound(items, lost);
  return asked;
}

/** Those that have what an item names, or the one that it names with it. */
function ownersAmong(
  owners: ReadonlyMap<string, readonly string[]>,
  { scope, id, agentId }: Exclude<RefinementItem, { scope: 'request' }>,
): readonly string[] {
  const known = owners.get(`${scope} ${id}`) ?? [];
  return agentId === undefined ? known : known.filter((one) => one === agentId);
}

/** Whose the named products and proposals are. */
async function ownersOf(ctx: Context, id: string, items: readonly RefinementItem[]) {
  const named = (scope: RefinementItem['scope']) => [
    ...new Set(items.flatMap((item) => (item.scope === scope && 'id' in item ? [item.id] : []))),
  ];
  const wanted = named('product').map((productId) => ({ productId }));
  const places = await findProductPlaces(ctx.db, ctx.scope, { id, wanted, each: SELLERS_EACH });
  const proposals = await findProposals(ctx.db, ctx.scope, { id, proposalIds: named('proposal') });
  const owners = new Map<string, Set<string>>();
  const add = (key: string, agentId: string) => owners.set(key, (owners.get(key) ?? new Set()).add(agentId));
  for (const { product_id, agent_id } of places) add(`product ${product_id}`, agent_id);
  for (const { proposal_id, agent_id } of proposals) add(`proposal ${proposal_id}`, agent_id);
  return new Map([...owners].map(([key, agents]) => [key, [...agents]]));
}

/** Those that still sell; and those that do not, where all there is to do can be done without them. */
async function sellersAsked(
  ctx: Context,
  agents: readonly DiscoveryAgentRow[],
  asked: ReadonlyMap<string, readonly Placed[]>,
): Promise<Seller[]> {
  const rows = await listSellers(ctx.db, ctx.scope, [...new Set(agents.map((one) => one.storefront_id))]);
  const open = rows.map(asSeller).filter(({ agentId }) => asked.has(agentId));
  const sellers = [...open];
  for (const [agentId, placed] of closedAmong(asked, open)) {
    const row =
      placed.length > 0 && placed.every(isOmission)
        ? await findSeller(ctx.db, ctx.scope, agentId)
        : undefined;
    if (row !== undefined) sellers.push(asSeller(row));
  }
  return sellers;
}

/** Those asked that sell no more, with what they are asked. */
export function closedAmong<T>(
  asked: ReadonlyMap<string, T>,
  open: readonly Pick<Seller, 'agentId'>[],
): (readonly [agentId: string, asked: T])[] {
  const sells = new Set(open.map(({ agentId }) => agentId));
  return [...asked].filter(([agentId]) => !sells.has(agentId));
}
