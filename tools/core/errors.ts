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
 * Every error code of the service, and the only place where an HTTP status is written (interface, Errors:
 * Status codes and Code meanings).
 */
export const errorCatalogue = {
  BAD_REQUEST: {
    statuses: [400, 405],
    recovery: 'correctable',
    meaning:
      'The request could not be read: malformed JSON, a malformed parameter, or a method the address does not take (405).',
    suggestion: 'Send a JSON object in UTF-8 with Content-Type: application/json.',
  },
  VALIDATION_ERROR: {
    statuses: [400, 422],
    recovery: 'correctable',
    meaning: 'A field is missing, unknown or out of range (400), or contradicts what is stored (422).',
    suggestion: 'Correct the fields named in details.issues and send the request again.',
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
    suggestion: 'Send a live credential as Authorization: Bearer <key>.',
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
    suggestion: 'Ask an administrator of the organization to accept the terms of service.',
  },
  NOT_FOUND: {
    statuses: [404],
    recovery: 'terminal',
    meaning: 'The id does not exist, or the caller may not know that it does.',
  },
  CONFLICT: {
    statuses: [409],
    recovery: 'terminal',
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
    meaning: 'budget.total cannot cover the media buys.',
    suggestion:
      'Change the budgets of the chosen products with discovery_add_products, drop some with ' +
      'discovery_remove_products, or create another campaign with a larger budget.total.',
  },
  CAPABILITY_NOT_SUPPORTED: {
    statuses: [422],
    recovery: 'terminal',
    meaning: 'The seller behind a media buy does not declare support for the change.',
  },
  VERSION_UNSUPPORTED: {
    statuses: [422],
    recovery: 'terminal',
    meaning: 'A source speaks another major version of the protocol.',
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

export function errorEntry(code: ErrorCode): ErrorEntry {
  return errorCatalogue[code];
}

export interface ErrorFacts {
  readonly status?: number;
  /** The path of the one field that is wrong, as the caller spelled it. */
  readonly field?: string;
  readonly suggestion?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number;
  /** What happened inside: for the log, never for the caller. */
  readonly cause?: unknown;
}

/**
 * A failure that the caller is told about. The message is public; the cause is not. Made by the functions
 * below, by meaning, and rendered by the adapters, by table.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly field: string | undefined;
  readonly suggestion: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.name = 'AppError';
    const entry = errorEntry(code);
    this.code = code;
    this.status = facts.status ?? entry.statuses[0];
    if (!entry.statuses.includes(this.status))
      throw new RangeError(`${code} never has status ${this.status}.`);
    this.field = facts.field;
    this.suggestion = facts.suggestion ?? entry.suggestion;
    this.details = facts.details;
    this.retryAfter = facts.retryAfter;
  }

  get recovery(): Recovery {
    return errorEntry(this.code).recovery;
  }
}

export interface Issue {
  /** Dotted path of the field, as the caller spelled it; empty for the whole input. */
  readonly path: string;
  readonly message: string;
}

export function badRequest(message: string, facts: ErrorFacts = {}): AppError {
  return new AppError('BAD_REQUEST', message, facts);
}

/** The input is wrong in these places: all of them at once. */
export function invalidInput(issues: readonly Issue[], facts: ErrorFacts = {}): AppError {
  const [first] = issues;
  const single = issues.every(({ path }) => path === first?.path);
  const field = single && first !== undefined && first.path !== '' ? first.path : undefined;
  const message = issues
    .map(({ path, message: text }) => (path === '' ? text : `${path}: ${text}`))
    .join(' ');
  return new AppError('VALIDATION_ERROR', message, {
    ...(field === undefined ? {} : { field }),
    ...facts,
    details: { issues, ...facts.details },
  });
}

/** A well-formed field that cannot be meant here. 422 when it contradicts what is stored. */
export function invalid(field: string, message: string, facts: ErrorFacts = {}): AppError {
  return invalidInput([{ path: field, message }], facts);
}

export function unauthorized(message: string, facts: ErrorFacts = {}): AppError {
  return new AppError('UNAUTHORIZED', message, facts);
}

export function forbidden(message: string, suggestion: string): AppError {
  return new AppError('FORBIDDEN', message, { suggestion });
}

export function accessDenied(kind: string): AppError {
  return new AppError(
    'ACCESS_DENIED',
    `This ${kind} belongs to an account or advertiser beyond your grants.`,
    {
      suggestion: 'Use a credential whose grants reach it.',
    },
  );
}

/** The same words for what is absent and for what belongs to others. */
export function notFound(kind: string, suggestion: string): AppError {
  return new AppError('NOT_FOUND', `No such ${kind}.`, { suggestion });
}

export function conflict(message: string, suggestion: string, facts: ErrorFacts = {}): AppError {
  return new AppError('CONFLICT', message, { suggestion, ...facts });
}

/** Somebody else wrote between our reading and our writing. */
export function staleWrite(kind: string): AppError {
  return conflict(
    `The ${kind} was changed by somebody else in the meantime.`,
    `Read the ${kind} again and repeat the change if it still applies.`,
  );
}

export function currencyMismatch(field: string, message: string, facts: ErrorFacts = {}): AppError {
  return new AppError('CURRENCY_MISMATCH', message, { field, ...facts });
}

export function insufficientMediaBudget(
  message: string,
  details: Readonly<Record<string, unknown>>,
): AppError {
  return new AppError('INSUFFICIENT_MEDIA_BUDGET', message, { field: 'budget.total', details });
}

export function termsRequired(details: { organizationId: number; tosVersion: string }): AppError {
  return new AppError(
    'TOS_ACCEPTANCE_REQUIRED',
    `The organization has not accepted version ${details.tosVersion} of the terms of service.`,
    { details },
  );
}

export function alphaRequired(title: string): AppError {
  return new AppError('ALPHA_OPT_IN_REQUIRED', `“${title}” is in alpha.`);
}

export function rateLimited(retryAfter: number): AppError {
  return new AppError('RATE_LIMITED', `Too many requests. Retry in ${retryAfter} s.`, { retryAfter });
}

export function unavailable(message: string, facts: ErrorFacts = {}): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfter: 2, ...facts });
}

/** Anything that was thrown, as an error that may be shown. What nobody foresaw says nothing of itself. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side.', { cause: thrown });
}
