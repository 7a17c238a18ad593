import type { IncomingMessage } from 'node:http';
import { isAmong, MATCH_HEADER, NONE_MATCH_HEADER } from '../../tools/core/entity-tags.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import { conflict } from '../../tools/core/errors/refusals.ts';
import type { Visit } from '../http/visit.ts';

/**
 * Whether the caller of a read says that it has this answer already (RFC 9110, section 13.1.2). One that wants no
 * other than it has is refused another one, which comes first (13.2.2).
 */
export function isKnown({ headers }: IncomingMessage, tag: string): boolean {
  const { 'if-match': wanted, 'if-none-match': had } = headers;
  if (wanted !== undefined && !isAmong({ field: MATCH_HEADER, given: wanted }, tag)) {
    throw anotherAnswer();
  }
  return had !== undefined && isAmong({ field: NONE_MATCH_HEADER, given: had }, tag);
}

/** The answer is none of those that alone were wanted. */
export function anotherAnswer(): AppError {
  return conflict(
    `What is there by now has none of the tags of ${MATCH_HEADER}.`,
    'Read it without the header.',
    {
      field: MATCH_HEADER,
    },
  );
}

/** The headers of the answer, and none of its body. */
export function sendUnchanged(visit: Visit, tag: string): void {
  visit.writeHead(304, 'ETag', tag);
  visit.res.end();
}
