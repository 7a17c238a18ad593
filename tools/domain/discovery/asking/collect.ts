import type { listGroupNames } from '../../../../store/discovery-groups.ts';
import type {
  AgentTold,
  DiscoveryAgentRow,
  DiscoverySessionRow,
  IncompleteReason,
  RefinementItem,
} from '../../../../store/discovery-sessions.ts';
import type { Services } from '../../../core/context.ts';
import { nowOf } from '../../../core/moments.ts';
import { ofProcess } from '../../../core/of-process.ts';
import { underWay } from '../../../core/under-way.ts';
import { partyAt } from '../../buying/choice/party.ts';
import { openedWith } from '../../discovery-opening.ts';
import { deadline } from '../../sellers/deadline.ts';
import { type Failed, failedBy } from '../../sellers/last-failures.ts';
import { Answers, promptnessOf } from '../../sellers/lateness.ts';
import { type Seller, SellerError } from '../../sellers/port.ts';
import type { ProductQuery } from '../../sellers/product-query.ts';
import { boundedText } from '../../text.ts';
import { isOmission, type Placed } from '../refinement.ts';
import { Conversation } from '../told.ts';
import { type AskedSeller, offered } from './asking.ts';
import { type Assessor, assessorFor, type Found } from './assessing.ts';
import type { ProductFilter } from './fitting.ts';
import { createLandings, type Landings } from './landings.ts';
import { askInLanes, SilentPlaces } from './lanes.ts';
import type { Proposal } from './proposals.ts';
import { quietOf } from './quiet.ts';
import { unrefined, withoutOmitted } from './refined.ts';
import { changed, omitted } from './round-answers.ts';
import type { ReadProducts } from './seller-products.ts';
import type { Room } from './shares.ts';
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
  /** Present where a seller said beforehand what it brings: it is not asked. */
  readonly brought?: Outcome;
  /** Present where sellers are asked once more. */
  readonly round?: Round;
}

/** What stands already where sellers are asked once more. */
export interface Round {
  /** What each is to change, by its agent; nothing where it is asked the same again. */
  readonly asked: ReadonlyMap<string, readonly Placed[]>;
  /** What each of those that are asked brought before, by its agent. */
  readonly before: ReadonlyMap<string, Brought>;
  /** The place of the last group. */
  readonly position: number;
  /** The room that the others take. */
  readonly others: Room;
  /** Of the others, those that did not answer. */
  readonly incomplete: readonly DiscoveryAgentRow[];
}

/** What a seller brought before it was asked once more. */
export interface Brought {
  readonly groups: Awaited<ReturnType<typeof listGroupNames>>;
  readonly invalidProducts: number;
}

/** What became of one seller. */
export type Outcome = {
  readonly agentId: string;
  readonly told?: AgentTold;
  readonly responseMs?: number;
} & (
  | {
      readonly read: ReadProducts;
      readonly proposals?: readonly Proposal[];
    }
  | {
      readonly reason: IncompleteReason;
      readonly message: string;
      /** True where the seller itself said so. */
      readonly answered?: boolean;
    }
);

const placesOf = ofProcess(({ limits }) => new SilentPlaces(limits.sellersSilentAtOnce));

/** Asks every seller in turn, so many at a time, and lands each answer as it comes. Ends when the last has landed. */
export function collect(services: Services, collection: Collection, stop: AbortSignal): Promise<void> {
  return underWay(services, collection.session.id, () => collectAll(services, collection, stop));
}

async function collectAll(services: Services, collection: Collection, stop: AbortSignal): Promise<void> {
  const landings = createLandings(services, collection);
  const assessor = assessorFor(openedWith(collection.session));
  const session = deadline(services, {
    milliseconds: services.limits.discoveryTimeoutMs,
    parent: stop,
    late: 'The session ended before this seller answered.',
  });
  const turns = new Turns(
    collection.sellers,
    (seller) => promptnessOf(services, seller),
    collection.session.id,
  );
  const answers = new Answers(services);
  const { sellersAtOnce: lanes } = services.limits;
  const places = placesOf(services);
  const asks = collection.session.organization_id;
  const place = ({ source }: Seller) => places.take({ asks, sells: source.organizationId });
  const terms = { clock: services.ports.clock, lanes, place };
  try {
    await askInLanes(turns, terms, async (seller) => {
      const outcome = await askOne(services, collection, { seller, session, assessor });
      // Who was cut off by the end of the process was neither late nor in time.
      if (!stop.aborted && !services.closing.aborted) {
        const inTime = !('reason' in outcome) || outcome.reason !== 'timeout';
        answers.note(seller, inTime, failedIn(collection, seller, outcome));
      }
      landings.land(outcome);
      turns.over(seller);
    });
  } finally {
    session.cancel();
    await answers.store();
  }
  await finish(landings, collection);
}

/** How it failed, for the seller whose agent it is. */
function failedIn({ query, accounts }: Collection, seller: Seller, outcome: Outcome): Failed | undefined {
  if (!('reason' in outcome)) return undefined;
  const party = partyAt(query.party, accounts, seller.agentId);
  const { reason: code, message } = outcome;
  return failedBy({ seller, task: 'get_products', party }, { code, message });
}

async function finish(landings: Landings, { sellers }: Collection): Promise<void> {
  if (sellers.length === 0) landings.landNothing();
  await landings.complete;
}

async function askOne(
  services: Services,
  collection: Collection,
  { seller, session, assessor }: Omit<Asking, 'trace'>,
): Promise<Outcome> {
  const { clock } = services.ports;
  const talk = collection.debug ? new Conversation(() => nowOf(clock), collection.sellers.length) : undefined;
  const askedAt = clock.now();
  const outcome = await answerOf(services, collection, { seller, session, assessor, trace: talk?.add }).catch(
    (error: unknown): Outcome => {
      const { reason, message, answered } = asFailure(services, seller, error);
      return { agentId: seller.agentId, reason, message: boundedText(message, MESSAGE_MAX), answered };
    },
  );
  const told = { ...toldIn(collection, outcome), ...logOf(talk, outcome) };
  return hasAnswered(outcome)
    ? { ...outcome, told, responseMs: Math.max(0, Math.round(clock.now() - askedAt)) }
    : { ...outcome, told };
}

function hasAnswered(outcome: Outcome): boolean {
  return !('reason' in outcome) || outcome.answered === true;
}

/** Who does not answer changes nothing. */
function toldIn({ round }: Collection, outcome: Outcome): AgentTold {
  if ('read' in outcome) return outcome.told ?? {};
  return unrefined(round?.asked.get(outcome.agentId) ?? [], outcome.message);
}

function logOf(talk: Conversation | undefined, outcome: Outcome): Pick<AgentTold, 'log' | 'raw'> {
  if (talk === undefined) return {};
  if ('reason' in outcome) talk.add({ type: 'error', message: outcome.message });
  return talk.raw === undefined ? { log: talk.log } : { log: talk.log, raw: talk.raw };
}

interface Asking extends AskedSeller {
  readonly assessor: Assessor | undefined;
}

async function answerOf(services: Services, collection: Collection, asking: Asking): Promise<Outcome> {
  const { seller, assessor } = asking;
  if (collection.brought !== undefined) return collection.brought;
  const asked = collection.round?.asked.get(seller.agentId) ?? [];
  const outcome = await changedOutcome(services, collection, { ...asking, asked });
  if (!('read' in outcome) || outcome.read.isWithoutSandbox || assessor === undefined) return outcome;
  return assessor.assess(outcome, (items) => askForOthers(services, collection, { asking, items }));
}

async function changedOutcome(
  services: Services,
  collection: Collection,
  { asked, ...asking }: Asking & { readonly asked: readonly Placed[] },
): Promise<Outcome> {
  const { seller } = asking;
  if (asked.length > 0 && asked.every(isOmission)) return omitted(services, collection, seller);
  const refine = asked.length === 0 ? undefined : asked.map(({ item }) => item);
  const { outcome, said } = await offered(services, collection, { asking, refine });
  if (!('read' in outcome) || asked.length === 0) return outcome;
  const { read, proposals } = outcome;
  if (read.isWithoutSandbox) return { ...outcome, told: unrefined(asked, quietOf(read).message ?? '') };
  const made = await changed(services, collection, { seller, read, proposals, said });
  return { ...outcome, ...made, told: { ...outcome.told, ...made.told } };
}

/** What a seller brings that is told what its products miss; one that does not answer has said what it has. */
async function askForOthers(
  services: Services,
  collection: Collection,
  { asking, items }: { asking: Asking; items: readonly RefinementItem[] },
): Promise<Found | undefined> {
  try {
    const { outcome } = await offered(services, collection, { asking, refine: items });
    if (!('read' in outcome)) return undefined;
    const asked = collection.round?.asked.get(asking.seller.agentId) ?? [];
    return { ...outcome, read: withoutOmitted(outcome.read, asked) };
  } catch (error) {
    const { message } = asFailure(services, asking.seller, error);
    asking.trace?.({ type: 'error', message: boundedText(message, MESSAGE_MAX) });
    return undefined;
  }
}

/** What nobody foresaw is logged, and shown without its words. */
function asFailure(
  services: Services,
  seller: Seller,
  error: unknown,
): Pick<SellerError, 'reason' | 'message' | 'answered'> {
  if (error instanceof SellerError) return error;
  services.log.error({ err: error, agentId: seller.agentId }, 'asking a seller failed');
  return { reason: 'error', message: 'The seller could not be asked.', answered: false };
}
