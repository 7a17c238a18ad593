import {
  type ErrorCode,
  errorCatalogue,
  errorEntry,
  type Recovery,
  type RefusalStatus,
} from './catalogue.ts';

export interface ErrorFacts {
  readonly status?: RefusalStatus;
  /** The path of the one field that is wrong, as the caller spelled it. */
  readonly field?: string;
  readonly suggestion?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number;
  /** True for a change that was made on what is not so any more: it is answered with what holds now. */
  readonly stale?: true;
  /** What happened inside: for the log, never for the caller. */
  readonly cause?: unknown;
}

/**
 * A failure that the caller is told about. The message is public; the cause is not. Made by the
 * functions of `refusals.ts`, by meaning, and rendered by the adapters, by table.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: RefusalStatus;
  readonly field: string | undefined;
  readonly suggestion: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;
  readonly stale: boolean;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.name = 'AppError';
    const entry = errorEntry(code);
    this.code = code;
    this.status = facts.status ?? errorCatalogue[code].statuses[0];
    if (!entry.statuses.includes(this.status))
      throw new RangeError(`${code} never has status ${this.status}.`);
    this.field = facts.field;
    this.suggestion = facts.suggestion ?? entry.suggestion;
    this.details = facts.details;
    this.retryAfter = facts.retryAfter;
    this.stale = facts.stale === true;
  }

  /** The same refusal with more details. */
  with(details: Readonly<Record<string, unknown>>): AppError {
    return this.telling({ details: { ...this.details, ...details } });
  }

  /** The same refusal, of which this is told otherwise. */
  telling(otherwise: Partial<Pick<AppError, 'message' | 'field' | 'details' | 'suggestion'>>): AppError {
    const { status, retryAfter, cause } = this;
    const { message = this.message, field = this.field, details = this.details } = otherwise;
    const { suggestion = this.suggestion } = otherwise;
    return new AppError(this.code, message, {
      status,
      cause,
      ...(details === undefined ? {} : { details }),
      ...(field === undefined ? {} : { field }),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(this.stale ? { stale: true } : {}),
    });
  }

  /** What says how long to wait is over then; what nobody says how to correct cannot be corrected. */
  get recovery(): Recovery {
    if (this.retryAfter !== undefined) return 'transient';
    const { recovery } = errorEntry(this.code);
    return recovery === 'correctable' && this.suggestion === undefined ? 'terminal' : recovery;
  }
}

export interface Issue {
  /** Dotted path of the field, as the caller spelled it; empty for the whole input. */
  readonly path: string;
  readonly message: string;
}
