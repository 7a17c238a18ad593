import type { OrderAnswer, Seller, SentOrder } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { readOrderAnswer } from './adcp-orders.ts';
import { createMediaBuyRequest } from './adcp-wire.ts';
import { keylessList } from './keyless.ts';
import { type LookUp, lookUps } from './order-references.ts';
import type { SellerCalls } from './seller-calls.ts';
import type { Takes } from './tool-lists.ts';

const TOOL = 'create_media_buy';

interface Placing {
  readonly seller: Seller;
  readonly order: SentOrder;
  readonly signal: AbortSignal;
}

/** Sends an order. A seller that keeps its key is sent the same bytes as often as it takes. */
export async function placeOrder(calls: SellerCalls, placing: Placing): Promise<OrderAnswer> {
  const { order } = placing;
  const list = await keylessList(calls, placing, TOOL);
  if (list === undefined) {
    const { content, lost } = await calls.ask(requestFor(placing));
    const answer = readOrderAnswer(content);
    return answer.kind === 'refused' && lost ? { ...answer, unresolved: true } : answer;
  }
  const lookUp = lookUps(calls, { ...placing, list });
  const found = order.repeat ? await lookUp() : undefined;
  return found ?? placeOnce(calls, requestFor(placing), lookUp);
}

function requestFor({ seller, order, signal }: Placing) {
  const args = (takes: Takes) => createMediaBuyRequest(order, takes);
  return { seller, tool: TOOL, args, signal, mutates: true };
}

/** Sends an order to a seller that keeps no keys. Whatever says nothing of the order, the seller is asked for it. */
async function placeOnce(
  { ask }: SellerCalls,
  request: ReturnType<typeof requestFor>,
  lookUp: LookUp,
): Promise<OrderAnswer> {
  try {
    const { content } = await ask({ ...request, once: true });
    const answer = readOrderAnswer(content);
    if (!isKnownThere(answer)) return answer;
    throw new SellerError('error', `${answer.code}: ${answer.message}`, { unresolved: true });
  } catch (error) {
    if (!(error instanceof SellerError) || !error.unresolved || request.signal.aborted) throw error;
    const found = await lookUp().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

type Refusal = Extract<OrderAnswer, { kind: 'refused' }>;

/** Whether a refusal is that of a second order with the same reference: the first one was taken. */
function isKnownThere(answer: OrderAnswer): answer is Refusal {
  if (answer.kind !== 'refused') return false;
  return /buyer.?ref/i.test(answer.message) && /exist|duplicate|already|in use|taken/i.test(answer.message);
}
