import type { IncompleteReason } from '../../store/discovery-sessions.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { BlockedAddressError } from '../net/address-guard.ts';
import { causeOf } from '../net/causes.ts';
import { failureIn } from './adcp-wire.ts';
import { UnreadableAnswerError } from './answer-pool.ts';
import { BusyError, type ClientFailure, classifyFailure } from './client-failures.ts';
import { TooLargeError } from './requests.ts';

interface Circumstances {
  readonly signal: AbortSignal;
  /** True for what the seller may carry out although we never hear of it. */
  readonly mutates?: boolean;
  /** True when it may have carried out the same call already. */
  readonly lost?: boolean;
}

interface Said {
  readonly reason: IncompleteReason;
  readonly message: string;
}

/** What is said of a failure, in words that may be shown. */
const WORDS: Readonly<Record<ClientFailure, Said>> = {
  unauthorized: { reason: 'auth_required', message: 'The seller wants another credential.' },
  timeout: { reason: 'timeout', message: 'The seller did not answer in time.' },
  not_mcp: { reason: 'invalid_response', message: 'The seller did not answer in the protocol.' },
  failing: { reason: 'error', message: 'The seller answered with an error of its own.' },
  unreachable: { reason: 'error', message: 'The seller could not be reached.' },
};

const UNOPENED =
  'What this service signs in with at the seller cannot be opened. Its owner sets it anew with ' +
  'inventory_source_update, or the operator asks doctor.';

/** How sellers say that there is nothing by an id or a reference, beside an empty list. */
export const NOTHING_THERE = /^(MEDIA_BUY_|BUYER_REF_)?NOT_FOUND$/;

/** Whatever went wrong with a call to a seller, as its tools know it. */
export function asSellerError(error: unknown, circumstances: Circumstances): SellerError {
  const { signal, mutates = false, lost = false } = circumstances;
  if (signal.aborted) {
    const { reason, message } = signal.reason instanceof SellerError ? signal.reason : WORDS.timeout;
    return new SellerError(reason, message, { unresolved: mutates, cause: error });
  }
  if (causeOf(error, BlockedAddressError) !== undefined) {
    // Which address a name stands for in this network is nothing for a buyer's eyes.
    const message = 'The address of the seller is not one that this service may call.';
    return new SellerError('error', message, { unresolved: lost, cause: error });
  }
  if (causeOf(error, AppError) !== undefined) {
    return new SellerError('auth_required', UNOPENED, { unresolved: lost, cause: error });
  }
  const unread = causeOf(error, TooLargeError) ?? causeOf(error, UnreadableAnswerError);
  if (unread !== undefined) {
    return new SellerError('invalid_response', unread.message, { unresolved: mutates, cause: error });
  }
  if (causeOf(error, BusyError) !== undefined) {
    const message = 'The seller answers no more calls for now.';
    return new SellerError('error', message, { unresolved: mutates, answered: true, cause: error });
  }
  const failure = classifyFailure(error);
  const { reason, message } = WORDS[failure];
  const unresolved = failure === 'unauthorized' ? lost : mutates;
  const answered = failure === 'failing' || failure === 'unauthorized' || failure === 'not_mcp';
  return new SellerError(reason, message, { unresolved, answered, cause: error });
}

/** The content of an answer that refuses nothing. */
export function refuseFailure(content: unknown, payload?: string): unknown {
  const failed = failureIn(content, payload);
  if (failed === undefined) return content;
  const reason = /^AUTH_|^PERMISSION_DENIED$/.test(failed.code) ? 'auth_required' : 'error';
  throw new SellerError(reason, `${failed.code}: ${failed.message}`, {
    answered: true,
    isNotThere: NOTHING_THERE.test(failed.code),
  });
}
