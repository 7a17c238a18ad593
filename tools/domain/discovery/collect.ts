import type { listGroupNames } from '../../../store/discovery-groups.ts';
import type {
  AgentTold,
  DiscoveryAgentRow,
  DiscoverySessionRow,
  IncompleteReason,
} from '../../../store/discovery-sessions.ts';
import type { Services } from '../../core/context.ts';
import { nowOf } from '../../core/moments.ts';
import { underWay } from '../../core/under-way.ts';
import { partyAt } from '../buying/party.ts';
import { type Deadline, deadline, withinSellerTimeout } from '../sellers/deadline.ts';
import { Answers, standingOf } from '../sellers/lateness.ts';
import { type Seller, SellerError } from '../sellers/port.ts';
import type { OfferedProducts, ProductQuery } from '../sellers/product-query.ts';
import { boundedText } from '../text.ts';
import type { ProductFilter } from './fitting.ts';
import { createLandings, type Landings } from './landings.ts';
import { askInLanes, SilentPlaces } from './lanes.ts';
import { type Proposal, proposalsIn } from './proposals.ts';
import { unrefined } from './refined.ts';
import { isOmission, type Placed } from './refinement.ts';
import { changed, omitted } from './round-answers.ts';
import { type ReadProducts, readSellerProducts } from './seller-products.ts';
import type { Room } from './shares.ts';
import { Conversation, incompleteIn } from './told.ts';
import { Turns } from './turns.ts';

const MESSAGE_MAX = 500;

/** A session on its way: whom it asks, and for what. */
export interface Collection {
  readonly session: DiscoverySessionRow;
  readonly agents: readonly DiscoveryAgentRow[];
  readonly sellers: readonly Seller[];
  readonly query: Omit<ProductQuery, 'timeBudgetSeconds'>;
  /** Accounts of the advertiser at these sellers, by their agents. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly filter: ProductFilter;
  /** True where the conversation with each seller is taken down. */
  readonly debug: boolean;
  /** Present where sellers are asked once more. */
  readonly round?: Round;
}

/** What stands already where sellers are asked once more. */
export interface Round {
  /** What each is to change, by its agent; nothing where it is asked the same again. */
  readonly asked: ReadonlyMap<string, readonly Placed[]>;
  /** What those that are asked brought before. */
  readonly groups: Awaited<ReturnType<typeof listGroupNames>>;
  /** The place of the last group. */
  readonly position: number;
  /** The room that the others take. */
  readonly others: Room;
  /** Of the others, those that did not answer. */
  readonly incomplete: readonly DiscoveryAgentRow[];
}

/** What became of one seller. */
export type Outcome = { readonly agentId: string; readonly told?: AgentTold } & (
  | {
      readonly read: ReadProducts;
      readonly responseMs?: number;
      readonly proposals?: readonly Proposal[];
    }
  | { readonly reason: IncompleteReason; readonly message: string }
);

const places = new WeakMap<Services, SilentPlaces>();

function placesOf(services: Services): SilentPlaces {
  const own = places.get(services) ?? new SilentPlaces();
  places.set(services, own);
  return own;
}

/** Asks every seller in turn, so many at a time, and lands each answer as it comes. Ends when the last has landed. */
export function collect(services: Services, collection: Collection, stop: AbortSignal): Promise<void> {
  return underWay(services, collection.session.id, () => collectAll(services, collection, stop));
}

async function collectAll(services: Services, collection: Collection, stop: AbortSignal): Promise<void> {
  const landings = createLandings(services, collection);
  const session = deadline(services, {
    milliseconds: services.limits.discoveryTimeoutMs,
    parent: stop,
    late: 'The session ended before this seller answered.',
  });
  const turns = new Turns(collection.sellers, (seller) => standingOf(services, seller));
  const answers = new Answers(services);
  const { sellersAtOnce: lanes } = services.limits;
  const terms = { clock: services.ports.clock, lanes, places: placesOf(services) };
  try {
    await askInLanes(turns, terms, async (seller) => {
      const outcome = await askOne(services, collection, { seller, session });
      // Who was cut off by the end of the process was neither late nor in time.
      if (!stop.aborted) answers.note(seller, !('reason' in outcome) || outcome.reason !== 'timeout');
      landings.land(outcome);
      turns.over(seller);
    });
  } finally {
    session.cancel();
    await answers.store();
  }
  await finish(landings, collection);
}

async function finish(landings: Landings, { sellers }: Collection): Promise<void> {
  if (sellers.length === 0) landings.landNothing();
  await landings.complete;
}

async function askOne(
  services: Services,
  collection: Collection,
  { seller, session }: { seller: Seller; session: Deadline },
): Promise<Outcome> {
  const { clock } = services.ports;
  const talk = collection.debug ? new Conversation(() => nowOf(clock)) : undefined;
  const askedAt = clock.now();
  const outcome = await answerOf(services, collection, { seller, session, trace: talk?.add }).catch(
    (error: unknown): Outcome => {
      const { reason, message } = asFailure(services, seller, error);
      return { agentId: seller.agentId, reason, message: boundedText(message, MESSAGE_MAX) };
    },
  );
  const told = { ...toldIn(collection, outcome), ...logOf(talk, outcome) };
  return 'read' in outcome
    ? { ...outcome, told, responseMs: Math.max(0, Math.round(clock.now() - askedAt)) }
    : { ...outcome, told };
}

/** Who does not answer changes nothing. */
function toldIn({ round }: Collection, outcome: Outcome): AgentTold {
  if ('read' in outcome) return outcome.told ?? {};
  return unrefined(round?.asked.get(outcome.agentId) ?? [], outcome.message);
}

function logOf(talk: Conversation | undefined, outcome: Outcome): Pick<AgentTold, 'log'> {
  if (talk === undefined) return {};
  if ('reason' in outcome) talk.add({ type: 'error', message: outcome.message });
  return { log: talk.log };
}

interface Asking {
  readonly seller: Seller;
  readonly session: Deadline;
  readonly trace: Conversation['add'] | undefined;
}

async function answerOf(
  services: Services,
  collection: Collection,
  { seller, session, trace }: Asking,
): Promise<Outcome> {
  const asked = collection.round?.asked.get(seller.agentId) ?? [];
  if (asked.length > 0 && asked.every(isOmission)) return omitted(services, collection, seller);
  const timeBudgetSeconds = secondsLeft(services, session);
  const refine = asked.length === 0 ? undefined : asked.map(({ item }) => item);
  const party = partyAt(collection.query.party, collection.accounts, seller.agentId);
  const query = { ...collection.query, party, timeBudgetSeconds, refine, trace };
  const answer = await withinSellerTimeout(services, session.signal, (signal) =>
    services.ports.sellers.getProducts(seller, query, signal),
  );
  const outcome = await outcomeOf(seller, answer, collection);
  if (!('read' in outcome) || asked.length === 0) return outcome;
  const { read, proposals } = outcome;
  const made = await changed(services, collection, { seller, read, proposals, said: answer.said });
  return { ...outcome, ...made, told: { ...outcome.told, ...made.told } };
}

/** What a seller is told it has, in whole seconds: its own time, or the session's when there is less of that. */
function secondsLeft({ ports, limits }: Services, session: Deadline): number {
  const milliseconds = Math.min(limits.sellerTimeoutMs, session.endsAt - ports.clock.now());
  return Math.max(1, Math.floor(milliseconds / 1_000));
}

async function outcomeOf(
  seller: Seller,
  answer: OfferedProducts,
  { filter, query }: Collection,
): Promise<Outcome> {
  const { agentId } = seller;
  const read = await readSellerProducts(seller, answer, { filter, sandbox: query.party.sandbox });
  if (read.entries > 0 && read.invalid === read.entries) {
    const message = `None of the ${read.entries} products in the answer is valid.`;
    return { agentId, reason: 'invalid_response', message };
  }
  const { said = {} } = answer;
  const { proposals, invalid } = proposalsIn(seller, said, read.groups);
  const counted = invalid === 0 ? {} : { invalidProposals: invalid };
  return { agentId, read, proposals, told: { ...incompleteIn(said), ...counted } };
}

/** What nobody foresaw is logged, and shown without its words. */
function asFailure(
  services: Services,
  seller: Seller,
  error: unknown,
): { reason: IncompleteReason; message: string } {
  if (error instanceof SellerError) return error;
  services.log.error({ err: error, agentId: seller.agentId }, 'asking a seller failed');
  return { reason: 'error', message: 'The seller could not be asked.' };
}
