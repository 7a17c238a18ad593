import { z } from 'zod';
import type {
  BuyingParty,
  BuyReference,
  BuyReport,
  Order,
  OrderAnswer,
  ProductQuery,
  SellerPackage,
} from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { boundedText } from '../../tools/domain/text.ts';

/** The shapes of AdCP 3.x that cross the wire to a sales agent, requests and answers (AdCP, media-buy). */

const MAJOR_VERSION = 3;
const MESSAGE_MAX = 500;

/** The natural key of an account: brand and operator; the sandbox flag keeps play money apart. */
function accountOf(party: BuyingParty) {
  return {
    brand: { domain: party.brand },
    operator: party.operator,
    ...(party.sandbox ? { sandbox: true } : {}),
  };
}

export function getProductsRequest(query: ProductQuery): Record<string, unknown> {
  const filters = {
    ...(query.channels === undefined ? {} : { channels: query.channels }),
    ...(query.countries === undefined ? {} : { countries: query.countries }),
    ...(query.startDate === undefined ? {} : { start_date: query.startDate.slice(0, 10) }),
    ...(query.endDate === undefined ? {} : { end_date: query.endDate.slice(0, 10) }),
    ...(query.budget === undefined ? {} : { budget_range: query.budget }),
  };
  return {
    adcp_major_version: MAJOR_VERSION,
    ...(query.brief === undefined
      ? { buying_mode: 'wholesale' }
      : { buying_mode: 'brief', brief: query.brief }),
    brand: { domain: query.party.brand },
    account: accountOf(query.party),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    time_budget: { interval: query.timeBudgetSeconds, unit: 'seconds' },
  };
}

export function createMediaBuyRequest(order: Order): Record<string, unknown> {
  return {
    adcp_major_version: MAJOR_VERSION,
    idempotency_key: order.idempotencyKey,
    account: accountOf(order.party),
    brand: { domain: order.party.brand },
    start_time: order.startTime,
    end_time: order.endTime,
    packages: order.packages,
  };
}

export function getMediaBuysRequest(party: BuyingParty, mediaBuyId: string): Record<string, unknown> {
  return { adcp_major_version: MAJOR_VERSION, account: accountOf(party), media_buy_ids: [mediaBuyId] };
}

export function deliveryRequest(party: BuyingParty, mediaBuyId: string): Record<string, unknown> {
  return { adcp_major_version: MAJOR_VERSION, account: accountOf(party), media_buy_ids: [mediaBuyId] };
}

export function taskRequest(reference: BuyReference): Record<string, unknown> {
  return {
    adcp_major_version: MAJOR_VERSION,
    account: accountOf(reference.party),
    task_id: reference.taskId,
    include_result: true,
  };
}

const failure = z.looseObject({ code: z.string(), message: z.string(), recovery: z.string().optional() });

/** AdCP, error recovery: what passes by itself, for sellers that do not say so. */
const TRANSIENT = new Set(['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_FLIGHT']);

export interface WireFailure {
  readonly code: string;
  readonly message: string;
  readonly transient: boolean;
}

const envelope = z.looseObject({
  adcp_error: failure.optional(),
  errors: z.array(failure).optional(),
});

/**
 * The error in an answer, wherever the protocol lets a seller put it. Beside the field that carries what was
 * asked for, `errors` are warnings and no refusal.
 */
export function failureIn(content: unknown, payload?: string): WireFailure | undefined {
  const parsed = envelope.safeParse(content);
  if (!parsed.success) return undefined;
  const { adcp_error, errors = [], ...rest } = parsed.data;
  const carried = payload === undefined ? undefined : rest[payload];
  const carries = carried !== undefined && carried !== null && carried !== '';
  const error = adcp_error ?? (carries ? undefined : errors[0]);
  return error === undefined
    ? undefined
    : {
        code: boundedText(error.code, 64),
        message: boundedText(error.message, MESSAGE_MAX),
        transient: error.recovery === undefined ? TRANSIENT.has(error.code) : error.recovery === 'transient',
      };
}

const productsAnswer = z.looseObject({ products: z.array(z.unknown()) });

export function readProducts(content: unknown): readonly unknown[] {
  const parsed = productsAnswer.safeParse(content);
  if (!parsed.success) throw new SellerError('invalid_response', 'The answer holds no list of products.');
  return parsed.data.products;
}

const packages = z
  .array(
    z.looseObject({
      package_id: z.string(),
      product_id: z.string().optional(),
      budget: z.number().optional(),
    }),
  )
  .default([]);

const acceptedAnswer = z.looseObject({
  media_buy_id: z.string().min(1).max(255),
  status: z.string().optional(),
  media_buy_status: z.string().optional(),
  packages,
});

const submittedAnswer = z.looseObject({
  status: z.literal('submitted'),
  task_id: z.string().min(1).max(255),
});

export function readOrderAnswer(content: unknown): OrderAnswer {
  const submitted = submittedAnswer.safeParse(content);
  const failed = failureIn(content, submitted.success ? 'task_id' : 'media_buy_id');
  if (failed !== undefined) return { kind: 'refused', ...failed };
  if (submitted.success) return { kind: 'submitted', taskId: submitted.data.task_id };
  const accepted = acceptedAnswer.safeParse(content);
  if (!accepted.success) {
    throw new SellerError('invalid_response', 'The answer to the order names no media buy.', {
      unresolved: true,
    });
  }
  const { media_buy_id, status, media_buy_status } = accepted.data;
  return {
    kind: 'accepted',
    mediaBuyId: media_buy_id,
    // 3.1 moved the status of the buy out of `status`, which says completed there.
    status: media_buy_status ?? (status === 'completed' || status === undefined ? 'pending_start' : status),
    packages: accepted.data.packages.map(asPackage),
  };
}

function asPackage(item: z.output<typeof packages>[number]): SellerPackage {
  return {
    package_id: boundedText(item.package_id, 255),
    product_id: item.product_id === undefined ? null : boundedText(item.product_id, 255),
    budget: item.budget ?? null,
  };
}

const buysAnswer = z.looseObject({
  media_buys: z.array(z.looseObject({ media_buy_id: z.string(), status: z.string(), packages })),
});

/** The buy that was asked for among those in the answer; undefined when the seller does not know it. */
export function readMediaBuy(
  content: unknown,
  mediaBuyId: string,
): Extract<BuyReport, { kind: 'buy' }> | undefined {
  const parsed = buysAnswer.safeParse(content);
  if (!parsed.success) throw new SellerError('invalid_response', 'The answer holds no list of media buys.');
  const buy = parsed.data.media_buys.find(({ media_buy_id }) => media_buy_id === mediaBuyId);
  return buy === undefined
    ? undefined
    : { kind: 'buy', mediaBuyId, status: boundedText(buy.status, 64), packages: buy.packages.map(asPackage) };
}

const taskAnswer = z.looseObject({
  status: z.string(),
  result: z.unknown().optional(),
  error: failure.optional(),
});

/** The state of a task; once it is completed, what it came to. */
export function readTask(content: unknown): BuyReport {
  const parsed = taskAnswer.safeParse(content);
  if (!parsed.success) throw new SellerError('invalid_response', 'The answer holds no state of the task.');
  const { status, result, error } = parsed.data;
  if (status === 'completed') {
    const answer = readOrderAnswer(result);
    if (answer.kind === 'accepted') return { ...answer, kind: 'buy' };
    if (answer.kind === 'refused') return { kind: 'refused', message: answer.message };
  }
  if (status === 'failed' || status === 'rejected' || status === 'canceled') {
    return {
      kind: 'refused',
      message: boundedText(error?.message ?? `The seller’s review ended: ${status}.`, MESSAGE_MAX),
    };
  }
  return { kind: 'task', status: boundedText(status, 64) };
}

/** What is larger is no count of anything, and no row could hold it. */
const figure = z.number().min(0).max(Number.MAX_SAFE_INTEGER).default(0);

const deliveryAnswer = z.looseObject({
  media_buy_deliveries: z.array(
    z.looseObject({
      media_buy_id: z.string(),
      totals: z.looseObject({
        impressions: figure,
        spend: figure,
        clicks: figure,
      }),
    }),
  ),
});

/** What was delivered so far; undefined when the seller does not say. */
export function readDelivery(content: unknown, mediaBuyId: string) {
  const parsed = deliveryAnswer.safeParse(content);
  if (!parsed.success) return undefined;
  const found = parsed.data.media_buy_deliveries.find(({ media_buy_id }) => media_buy_id === mediaBuyId);
  if (found === undefined) return undefined;
  const { impressions, spend, clicks } = found.totals;
  return { impressions: Math.floor(impressions), spend, clicks: Math.floor(clicks) };
}
