import type { Services } from '../../../core/context.ts';
import { StoppedError, withinSellerTimeout } from '../../sellers/deadline.ts';
import { type OrderAnswer, type Seller, SellerError, type SentOrder } from '../../sellers/port.ts';
import { NO_SANDBOX } from '../changes/undeclared-sandbox.ts';
import { KeptBackError } from './late-orders.ts';

/**
 * The last look before an order of a sandbox advertiser goes out, for the first time or once more: its seller may have
 * withdrawn its sandbox accounts since, and would take the order for a real one. Changes of what runs are not held
 * against it: what a seller took can be stopped there.
 */

const UNHEARD =
  'The seller refuses to say whether it keeps sandbox accounts (account.sandbox). The order was not sent: for a sandbox advertiser it could be a real one there.';

const ELSEWHERE =
  'You: choose products of another seller in its place, or buy for an advertiser that is no sandbox, with real money.';

const MAY_BE_HELD =
  'It may have taken the order before: ask the seller, and have the operator of this service settle the order by its answer.';

interface Sent {
  readonly seller: Seller;
  readonly order: SentOrder;
  readonly signal: AbortSignal | undefined;
  /** Sends it. */
  send(signal: AbortSignal): Promise<OrderAnswer>;
}

/** Has an order sent, within the time of its seller: what that takes to say what it declares is part of it. */
export async function withinSandbox(
  services: Services,
  { seller, order, signal, send }: Sent,
): Promise<OrderAnswer> {
  const isHeld = order.party.sandbox;
  let isSent = !isHeld;
  try {
    return await withinSellerTimeout(services, signal, async (own) => {
      if (isHeld) await requireSandboxNow(services, { seller, order, signal: own });
      isSent = true;
      return send(own);
    });
  } catch (error) {
    throw isSent ? error : asUnsent(error);
  }
}

/** Throws where the seller declares no sandbox accounts now, or does not say. */
async function requireSandboxNow(
  { ports }: Services,
  { seller, order, signal }: Pick<Sent, 'seller' | 'order'> & { readonly signal: AbortSignal },
): Promise<void> {
  const { sandbox } = await ports.sellers.declaration(seller, signal, true);
  // Whoever waited has heard that it was not sent.
  signal.throwIfAborted();
  if (sandbox === true) return;
  if (sandbox === 'unheard') throw new SellerError('error', UNHEARD, { answered: true });
  const message = `The order was not sent${order.repeat ? ' again' : ''}: ${NO_SANDBOX}`;
  if (order.repeat) throw new SellerError('error', `${message} ${MAY_BE_HELD}`, { answered: true });
  throw new KeptBackError(`${message} ${ELSEWHERE}`);
}

/** Whoever fails before it is sent the order was asked for nothing that it could do all the same. */
function asUnsent(error: unknown): unknown {
  if (error instanceof StoppedError) return new StoppedError({ unresolved: false });
  if (!(error instanceof SellerError) || !error.unresolved) return error;
  const { reason, message, answered } = error;
  return new SellerError(reason, message, { answered, cause: error });
}
