import type { OrderAnswer } from '../../sellers/port.ts';

/** What the refusals of sellers mean for an order (AdCP, error codes). */

type Refusal = Extract<OrderAnswer, { kind: 'refused' }>;

/**
 * Refusals that speak of the asking and not of the order: of the moment, of who asks, or of the key. They say
 * nothing of what became of an order that was sent before under the same key.
 */
const OF_THE_ASKING =
  /^(IDEMPOTENCY_|AUTH_|ACCOUNT_|AGENT_|(PERMISSION_DENIED|UNAUTHORIZED|FORBIDDEN|RATE_LIMITED|SERVICE_UNAVAILABLE|INTERNAL_ERROR|TIMEOUT|CONFLICT)$)/;

/** Refusals by which the seller says that it has seen the key before. */
const KEY_IS_KNOWN = /^IDEMPOTENCY_(IN_FLIGHT|EXPIRED)$/;

/** Whether a refusal says nothing of the order itself. */
export function speaksOfTheAsking(code: string): boolean {
  return OF_THE_ASKING.test(code);
}

/** Whether the seller may have taken the order although it refuses it now. */
export function leavesDoubt(answer: OrderAnswer): boolean {
  if (answer.kind !== 'refused') return false;
  return answer.unresolved === true || KEY_IS_KNOWN.test(answer.code);
}

/** Sellers that name products in a refusal of the whole order often say in words only what is wrong with them. */
const PRODUCT_IS_GONE = /\bproducts?\b.*\bnot found\b|\bno such product/i;

/** Why a refused order failed, in the words of the interface. */
function codeFor({
  code,
  message,
}: Refusal): 'product_no_longer_available' | 'quote_expired' | 'invalid_request' | 'source_rejected' {
  if (code === 'PRODUCT_NOT_FOUND' || code === 'PRODUCT_UNAVAILABLE') return 'product_no_longer_available';
  if (code === 'PRODUCT_EXPIRED' || code === 'REQUOTE_REQUIRED') return 'quote_expired';
  if (!/^(INVALID_|VALIDATION_|BUDGET_|IDEMPOTENCY_)/.test(code)) return 'source_rejected';
  return PRODUCT_IS_GONE.test(message.replaceAll('(s)', 's'))
    ? 'product_no_longer_available'
    : 'invalid_request';
}

/** What is stored of a refusal: its code, who has to mend it, and what the seller said. */
export function refusalColumns(refusal: Refusal) {
  const { code, message, transient = false } = refusal;
  return {
    error_code: transient ? 'source_unavailable' : codeFor(refusal),
    error_owner: transient || isOfTheProduct(refusal) ? 'seller' : 'buyer_input',
    source_message: `${code}: ${message}`,
  } as const;
}

/** Whether the seller has to mend it: what is wrong is the product it offered. */
function isOfTheProduct(refusal: Refusal): boolean {
  return refusal.code.startsWith('PRODUCT_') || codeFor(refusal) === 'product_no_longer_available';
}
