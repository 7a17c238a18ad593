import type { AppError } from './app-error.ts';
import { conflict } from './refusals.ts';

/** The key stands for another change. */
export function keyUsedOtherwise(field: string): AppError {
  return conflict(
    'This idempotency key was used for another input, and nothing was done now.',
    'Repeat a call with all that it was given, its reason too, or give another change a key of its own.',
    { field },
  );
}

/** The first call under the key is not over. */
export function stillUnderWay(field: string): AppError {
  return conflict(
    'The first call with this idempotency key is still under way.',
    'Call again with the same key when the time in Retry-After is over.',
    { field, retryAfter: 1 },
  );
}

/** The change is made, and what was answered shows more than this caller may see by now. */
export function answerBeyond(field: string, at: string): AppError {
  return conflict(
    `This call was made at ${at} by a credential that reached beyond this one, and nothing was done now.`,
    'Ask whoever made it, or give another change a key of its own.',
    { field, details: { performedAt: at } },
  );
}

interface Made {
  /** What was made: its kind in the audit log, its word, and where it is found. */
  readonly kind: Readonly<Record<'type' | 'word' | 'lookUp', string>>;
  readonly resourceId: string | null;
  readonly at: string;
}

/**
 * The change is made, and what was answered is not kept: a secret, more than may be kept, or what a crash swallowed.
 */
export function answerNotKept(field: string, { kind, resourceId, at }: Made): AppError {
  const named = resourceId === null ? kind.word : `${kind.word} ${resourceId}`;
  return conflict(
    `This call was made at ${at}: ${named}. Its answer is not kept, and nothing was done now.`,
    `Go on with the ${kind.word} that is there: ${kind.lookUp} For another one, give another key.`,
    { field, details: { resourceType: kind.type, resourceId, performedAt: at } },
  );
}
