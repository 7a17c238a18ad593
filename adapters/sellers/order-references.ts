import { asText } from '../../tools/core/schemas/as-text.ts';
import type { OrderAnswer, Seller, SentOrder } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { sellerText } from '../../tools/domain/text.ts';
import { statusOfDelivery } from './adcp-delivery.ts';
import { statusOf } from './adcp-orders.ts';
import { entriesIn, type Fields, packagesIn, readId } from './adcp-reading.ts';
import { accountReferenceOf, failureIn, hasReference, MAJOR_VERSION } from './adcp-wire.ts';
import type { SellerCalls } from './seller-calls.ts';
import { NOTHING_THERE, refuseFailure } from './seller-failures.ts';
import { type ToolList, takesOf } from './tool-lists.ts';

/** The order as the seller has it; undefined where it has none of its reference. */
export type LookUp = () => Promise<OrderAnswer | undefined>;

interface Looking {
  readonly seller: Seller;
  readonly order: SentOrder;
  readonly list: ToolList;
  readonly signal: AbortSignal;
}

/** The tools that find buys by a reference of the buyer's, each with the list in its answer; the surest first. */
const WAYS = [
  { tool: 'get_media_buy_delivery', entries: 'media_buy_deliveries' },
  { tool: 'get_media_buys', entries: 'media_buys' },
] as const;

type Way = (typeof WAYS)[number];

const NO_WAY =
  'Nobody can tell from here whether the seller took the order: it keeps no keys of orders, and finds none by a ' +
  'reference. The order is not sent again. Ask the seller.';

/** Looks an order up at a seller that keeps no keys of orders, by the reference that the order was sent with. */
export function lookUps(calls: SellerCalls, looking: Looking): LookUp {
  const { list } = looking;
  const ways = hasReference(takesOf(list, 'create_media_buy'))
    ? WAYS.filter(({ tool }) => list.has(tool) && findsByReference(list, tool))
    : [];
  return async () => {
    const [first, ...others] = ways.map((way) => () => settled(find(calls, way, looking)));
    if (first === undefined) throw new SellerError('error', NO_WAY, { unresolved: true });
    const told = await first();
    const answer = told.answer ?? (await firstOf(others));
    // Other lists may leave out what waits or is over: that it is not there, only the surest says.
    if (answer === undefined && told.error !== undefined) throw told.error;
    return answer;
  };
}

async function firstOf(ways: readonly (() => Promise<Settled>)[]): Promise<OrderAnswer | undefined> {
  for (const way of ways) {
    const { answer } = await way();
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function findsByReference(list: ToolList, tool: string): boolean {
  return takesOf(list, tool).fields?.has('buyer_refs') ?? true;
}

interface Settled {
  readonly answer?: OrderAnswer | undefined;
  readonly error?: unknown;
}

async function settled(finding: Promise<OrderAnswer | undefined>): Promise<Settled> {
  try {
    return { answer: await finding };
  } catch (error) {
    return { error };
  }
}

async function find(
  { ask }: SellerCalls,
  { tool, entries }: Way,
  { seller, order, signal }: Looking,
): Promise<OrderAnswer | undefined> {
  const { idempotencyKey: key, party } = order;
  const args = { adcp_major_version: MAJOR_VERSION, account: accountReferenceOf(party), buyer_refs: [key] };
  const { content } = await ask({ seller, tool, args, signal });
  if (NOTHING_THERE.test(failureIn(content, entries)?.code ?? '')) return undefined;
  const answer = refuseFailure(content, entries);
  const buy = entriesIn(Object(answer)[entries]).find((entry) => sellerText(entry['buyer_ref'], 255) === key);
  const mediaBuyId = readId(buy?.['media_buy_id']);
  if (buy === undefined || mediaBuyId === undefined) return undefined;
  const status = tool === 'get_media_buys' ? statusOf(buy) : statusOfDelivery(buy);
  return {
    kind: 'accepted',
    mediaBuyId,
    status: status ?? 'pending_start',
    packages: packagesOf(buy, order, Object(answer)),
  };
}

/** Its packages; what they were ordered for is known by their references. */
function packagesOf(buy: Fields, { idempotencyKey, packages: ordered }: SentOrder, answer: Fields) {
  const products = new Map(
    ordered.map(({ product_id }, index) => [`${idempotencyKey}.${index + 1}`, product_id]),
  );
  const told = entriesIn(buy['packages'] ?? buy['by_package']);
  return packagesIn(
    told.map((one) => {
      const product_id = one['product_id'] ?? products.get(asText(one['buyer_ref']));
      return { ...one, product_id };
    }),
    buy,
    answer,
  );
}
