import type { Services } from '../../../core/context.ts';
import { onceOf } from '../../../core/once.ts';
import { partyAt } from '../../buying/choice/party.ts';
import { counted } from '../../counted.ts';
import { type Deadline, withinSellerTimeout } from '../../sellers/deadline.ts';
import { type Seller, SellerError, type Sellers } from '../../sellers/port.ts';
import type { OfferedProducts, ProductQuery } from '../../sellers/product-query.ts';
import { type Conversation, incompleteIn } from '../told.ts';
import { turnedDownIn } from '../turned-down.ts';
import type { Collection, Outcome } from './collect.ts';
import { proposalsIn } from './proposals.ts';
import { type ReadProducts, readSellerProducts } from './seller-products.ts';

/** A seller as a session asks it. */
export interface AskedSeller {
  readonly seller: Seller;
  readonly session: Deadline;
  readonly trace: Conversation['add'] | undefined;
}

/**
 * What a seller offers, told what to change where it is asked once more, and what it said beside. For the sandbox none
 * is asked but who declares sandbox accounts. Throws what its port throws.
 */
export async function offered(
  services: Services,
  collection: Collection,
  { asking, refine }: { asking: AskedSeller; refine: ProductQuery['refine'] },
): Promise<{ outcome: Outcome; said?: OfferedProducts['said'] }> {
  const { seller, session, trace } = asking;
  const timeBudgetSeconds = secondsLeft(services, session);
  const party = partyAt(collection.query.party, collection.accounts, seller.agentId);
  const turnedDown = [...ofBrief(collection), ...ofChanges(refine, collection)];
  const query = { ...collection.query, party, timeBudgetSeconds, refine, turnedDown, trace };
  const { sellers } = services.ports;
  const answer = await withinSellerTimeout(services, session.signal, async (signal) => {
    if (party.sandbox && !(await keepsSandbox(sellers, seller, signal))) return undefined;
    return sellers.getProducts(seller, query, signal);
  });
  if (answer === undefined) return { outcome: { agentId: seller.agentId, read: NOT_ASKED } };
  return { outcome: await outcomeOf(seller, answer, collection), said: answer.said };
}

/** Read once for all the sellers of a session. */
const ofBrief = onceOf(({ query, filter }: Collection) => turnedDownIn([query.brief ?? ''], filter.currency));

function ofChanges(refine: ProductQuery['refine'] = [], { filter }: Collection): string[][] {
  const wanted = refine.flatMap((one) => (one.scope === 'request' ? [one.ask] : []));
  return turnedDownIn(wanted, filter.currency);
}

const NOT_ASKED: ReadProducts = {
  ...{ groups: [], products: 0, invalid: 0, entries: 0, hidden: {}, briefMatched: true },
  isWithoutSandbox: true,
};

const UNHEARD =
  'The seller refuses to say whether it keeps sandbox accounts (account.sandbox): it was not asked for a sandbox advertiser.';

async function keepsSandbox(sellers: Sellers, seller: Seller, signal: AbortSignal): Promise<boolean> {
  const known = await sellers.declaration(seller, signal);
  // Who declared none before may do so by now.
  const { sandbox } = known.sandbox === true ? known : await sellers.declaration(seller, signal, true);
  if (sandbox === 'unheard') throw new SellerError('error', UNHEARD, { answered: true });
  // Whoever waited has gone by now.
  signal.throwIfAborted();
  return sandbox;
}

/** What a seller is told it has, in whole seconds: its own time, or the session's when there is less of that. */
function secondsLeft({ ports, limits }: Services, session: Deadline): number {
  const milliseconds = Math.min(limits.sellerTimeoutMs, session.endsAt - ports.clock.now());
  return Math.max(1, Math.floor(milliseconds / 1_000));
}

function noneValid(entries: number): string {
  return entries === 1
    ? 'The product in the answer is not valid.'
    : `None of the ${counted(entries, 'product')} in the answer is valid.`;
}

async function outcomeOf(
  seller: Seller,
  answer: OfferedProducts,
  { filter, query }: Collection,
): Promise<Outcome> {
  const { agentId } = seller;
  const read = await readSellerProducts(seller, answer, { filter, sandbox: query.party.sandbox });
  if (read.entries > 0 && read.invalid === read.entries) {
    const message = noneValid(read.entries);
    return { agentId, reason: 'invalid_response', message, answered: true };
  }
  const { said = {} } = answer;
  const { proposals, invalid } = proposalsIn(seller, said, read.groups);
  const invalidOnes = invalid === 0 ? {} : { invalidProposals: invalid };
  return { agentId, read, proposals, told: { ...incompleteIn(said), ...invalidOnes } };
}
