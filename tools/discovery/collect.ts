import { setMaxListeners } from 'node:events';
import type { DiscoveryAgentRow, DiscoverySessionRow, IncompleteReason } from '../../store/discovery.ts';
import type { Services } from '../context.ts';
import { type ProductQuery, type Seller, SellerError } from '../ports.ts';
import { boundedText } from '../shared/text.ts';
import { createLandings, type Landings } from './landings.ts';
import { type ProductFilter, type ReadProducts, readSellerProducts } from './seller-products.ts';

const MESSAGE_MAX = 500;

/** A session on its way: whom it asks, and for what. */
export interface Collection {
  readonly session: DiscoverySessionRow;
  readonly agents: readonly DiscoveryAgentRow[];
  readonly sellers: readonly Seller[];
  readonly query: Omit<ProductQuery, 'timeBudgetSeconds'>;
  readonly filter: ProductFilter;
}

/** What became of one seller. */
export type Outcome =
  | { readonly agentId: string; readonly read: ReadProducts }
  | { readonly agentId: string; readonly reason: IncompleteReason; readonly message: string };

/** Asks every seller, so many at a time, and lands each answer as it comes. Ends when the last has landed. */
export async function collect(services: Services, collection: Collection, stop: AbortSignal): Promise<void> {
  const landings = createLandings(services, collection);
  const session = deadline(services, {
    milliseconds: services.limits.discoveryTimeoutMs,
    parent: stop,
    message: 'The session ended before this seller answered.',
  });
  const waiting = [...collection.sellers];
  const ask = async (): Promise<void> => {
    for (let seller = waiting.shift(); seller !== undefined; seller = waiting.shift()) {
      landings.land(await askOne(services, collection, { seller, session }));
    }
  };
  const lanes = Math.min(services.limits.sellersAtOnce, collection.sellers.length);
  try {
    await Promise.all(Array.from({ length: lanes }, ask));
  } finally {
    session.cancel();
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
  const { agentId } = seller;
  const { sellerTimeoutMs } = services.limits;
  const own = deadline(services, {
    milliseconds: sellerTimeoutMs,
    parent: session.signal,
    message: `The seller did not answer within ${Math.round(sellerTimeoutMs / 1000)} s.`,
  });
  try {
    const query = { ...collection.query, timeBudgetSeconds: secondsLeft(services, session) };
    const answer = await untilAborted(
      () => services.ports.sellers.getProducts(seller, query, own.signal),
      own.signal,
    );
    return outcomeOf(seller, answer, collection);
  } catch (error) {
    const { reason, message } = asFailure(services, seller, error);
    return { agentId, reason, message: boundedText(message, MESSAGE_MAX) };
  } finally {
    own.cancel();
  }
}

/** What a seller is told it has, in whole seconds: its own time, or the session's when there is less of that. */
function secondsLeft({ ports, limits }: Services, session: Deadline): number {
  const milliseconds = Math.min(limits.sellerTimeoutMs, session.endsAt - ports.clock.now());
  return Math.max(1, Math.floor(milliseconds / 1_000));
}

function outcomeOf(seller: Seller, answer: readonly unknown[], { filter, query }: Collection): Outcome {
  const { agentId } = seller;
  const read = readSellerProducts(seller, answer, { filter, sandbox: query.party.sandbox });
  if (answer.length > 0 && read.invalid === answer.length) {
    const message = `None of the ${answer.length} products in the answer is valid.`;
    return { agentId, reason: 'invalid_response', message };
  }
  return { agentId, read };
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

interface Deadline {
  readonly signal: AbortSignal;
  readonly endsAt: number;
  cancel(): void;
}

/** A signal that aborts after a time or with its parent, whichever comes first. */
function deadline(
  { ports }: Services,
  { milliseconds, parent, message }: { milliseconds: number; parent: AbortSignal; message: string },
): Deadline {
  const own = new AbortController();
  // One listener for every seller that is asked at once: no leak, whatever their number.
  setMaxListeners(0, own.signal);
  const abort = () => own.abort(new SellerError('timeout', message));
  const stopped = () => own.abort(parent.reason instanceof SellerError ? parent.reason : stoppedError());
  const endsAt = ports.clock.now() + milliseconds;
  const cancelTimer = ports.clock.after(milliseconds, abort);
  if (parent.aborted) stopped();
  else parent.addEventListener('abort', stopped, { once: true });
  return {
    signal: own.signal,
    endsAt,
    cancel: () => {
      cancelTimer();
      parent.removeEventListener('abort', stopped);
    },
  };
}

function stoppedError(): SellerError {
  return new SellerError('error', 'The service was stopped while the seller was being asked.');
}

/** The work, or the signal's reason as soon as it aborts: a seller that hangs holds nobody. */
function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
