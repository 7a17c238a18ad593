/** What a caller can do about a failure (AdCP error recovery classes). */
export type Recovery = 'transient' | 'correctable' | 'terminal';

interface ErrorEntry {
  /** The HTTP statuses the code may travel with; the first is its usual one. */
  readonly statuses: readonly [number, ...number[]];
  readonly recovery: Recovery;
  readonly meaning: string;
  /** What to do next, when whoever raised the error had nothing better to say. */
  readonly suggestion?: string;
  /** Kept for old clients; nothing new may raise it. */
  readonly deprecated?: true;
}

/**
 * Every error code of the service and every HTTP status it may travel with (interface, Errors: Status codes and
 * Code meanings). Which of several statuses a refusal has is said where it is made, in `refusals.ts`.
 */
export const errorCatalogue = {
  BAD_REQUEST: {
    statuses: [400, 405, 408, 431],
    recovery: 'correctable',
    meaning:
      'The request could not be read: malformed JSON, a malformed parameter, a method the address does not take ' +
      '(405), too slow (408) or with too many headers (431).',
    suggestion: 'Correct what the message names and send the request again.',
  },
  VALIDATION_ERROR: {
    statuses: [400, 422],
    recovery: 'correctable',
    meaning: 'A field is missing, unknown or out of range (400), or contradicts what is stored (422).',
    suggestion: 'Correct what the message names and send the request again.',
  },
  CURRENCY_MISMATCH: {
    statuses: [400],
    recovery: 'correctable',
    meaning: 'The budget is in another currency than the advertiser, the seller or the storefront.',
    suggestion: 'Use the currency named in the message.',
  },
  UNAUTHORIZED: {
    statuses: [401],
    recovery: 'terminal',
    meaning: 'There is no credential, or it is expired, revoked or unknown.',
    suggestion:
      'Send a live credential as Authorization: Bearer <key>. Without one, /auth.md says how to get one.',
  },
  CREDIT_LIMIT_EXCEEDED: {
    statuses: [402],
    recovery: 'terminal',
    meaning: 'The change would push committed spend past the available credit.',
  },
  FORBIDDEN: {
    statuses: [403],
    recovery: 'terminal',
    meaning: 'The credential is live but lacks the role or permission.',
  },
  ACCESS_DENIED: {
    statuses: [403],
    recovery: 'terminal',
    meaning: 'The object belongs to another account or advertiser of the organization.',
  },
  ALPHA_OPT_IN_REQUIRED: {
    statuses: [403],
    recovery: 'terminal',
    meaning: 'The capability is in alpha and the organization has not opted in.',
    suggestion: 'Ask the operator of this service to opt your organization in.',
  },
  TOS_ACCEPTANCE_REQUIRED: {
    statuses: [403],
    recovery: 'correctable',
    meaning: 'The latest terms of service are not accepted; reads keep working.',
    suggestion:
      'Ask an administrator of the organization to accept the terms of service, at details.tosUrl or with accept_tos.',
  },
  NOT_FOUND: {
    // 410 is of pages whose link was used or is over, and of agents whose claim is: no capability answers with it.
    statuses: [404, 410],
    recovery: 'correctable',
    meaning: 'The id does not exist, or the caller may not know that it does.',
  },
  CONFLICT: {
    statuses: [409],
    recovery: 'correctable',
    meaning: 'A duplicate, an illegal state transition, or a write that came between.',
  },
  PRICING_NOT_CONFIGURED: {
    statuses: [409],
    recovery: 'terminal',
    meaning: 'There is no price to buy at, or fee terms cannot be determined.',
  },
  INSUFFICIENT_MEDIA_BUDGET: {
    statuses: [409],
    recovery: 'correctable',
    meaning:
      'What the campaign may spend (budget.total, budget.dailyCap, a period) cannot cover the media buys, or the fee ' +
      'leaves less of it than a seller sells for.',
    suggestion:
      'Change the budgets of the chosen products with discovery_add_products, drop some with ' +
      'discovery_remove_products, or give a larger budget.total: campaign_update raises it.',
  },
  CAPABILITY_NOT_SUPPORTED: {
    statuses: [422],
    recovery: 'terminal',
    meaning:
      'A seller does not declare support for what is asked of it: a change, targeting, or an order for a sandbox.',
  },
  VERSION_UNSUPPORTED: {
    statuses: [422],
    recovery: 'terminal',
    meaning: 'The caller or a source speaks another major version of the protocol.',
  },
  RATE_LIMITED: {
    statuses: [429],
    recovery: 'transient',
    meaning: 'Too many requests. Retry-After says how many seconds to wait.',
    suggestion: 'Wait for the seconds in Retry-After, then retry with jitter, five times at the most.',
  },
  INTERNAL_ERROR: {
    statuses: [500],
    recovery: 'transient',
    meaning: 'An unhandled error. It is logged under the request id; a read is safe to retry once.',
    suggestion: 'Retry once; if it happens again, report the request id to the operator.',
  },
  NOT_IMPLEMENTED: {
    statuses: [501],
    recovery: 'terminal',
    meaning: 'The service does not do this.',
  },
  SERVICE_UNAVAILABLE: {
    statuses: [503],
    recovery: 'transient',
    meaning: 'Something the service depends on is down, or the service is stopping.',
    suggestion: 'Retry with exponential backoff.',
  },
  ROUTED_AGENT_REQUIRES_OPERATOR_AUTH: {
    statuses: [409],
    recovery: 'terminal',
    meaning: 'Operator credentials for the seller are missing. Kept for compatibility.',
    deprecated: true,
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(code: string): code is ErrorCode {
  return code in errorCatalogue;
}

/**
 * Every status of a refusal, on whatever way it is told: also those without a code of the catalogue have one of these.
 */
export type RefusalStatus = (typeof errorCatalogue)[ErrorCode]['statuses'][number];

/** The codes that any tool may answer; a tool lists only what it answers beyond them. */
export const commonErrorCodes = [
  'BAD_REQUEST',
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCESS_DENIED',
  'TOS_ACCEPTANCE_REQUIRED',
  'ALPHA_OPT_IN_REQUIRED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

const common: ReadonlySet<ErrorCode> = new Set(commonErrorCodes);

export function isCommon(code: ErrorCode): boolean {
  return common.has(code);
}

export function errorEntry(code: ErrorCode): ErrorEntry {
  return errorCatalogue[code];
}

const refusalStatuses: ReadonlySet<number> = new Set(
  Object.values<ErrorEntry>(errorCatalogue).flatMap((entry) => entry.statuses),
);

/** Whether a status, of a library that answers for us, is one of a refusal. */
export function isRefusalStatus(status: number): status is RefusalStatus {
  return refusalStatuses.has(status);
}
