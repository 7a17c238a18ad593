import { z } from 'zod';
import type { Placed } from '../../../store/engine/paging.ts';
import type { Scope } from '../../../store/engine/scope.ts';
import { invalid } from '../../core/errors/refusals.ts';
import type { Digest } from '../../core/ports.ts';
import { opaqueOf, partsIn } from '../../domain/opaque-texts.ts';

/** Room for the longest cursor that is given out. */
const CURSOR_MAX = 512;
/** Characters of a fingerprint. It holds mistakes off and no secret: whose rows are listed is the caller’s account. */
const PRINT_LENGTH = 16;

/** The field that goes on where a page ended. */
export const cursorField = z
  .string()
  .min(1)
  .max(CURSOR_MAX)
  .optional()
  .describe('Goes on after a page: its nextCursor, with the same filters and without skip.');

/** The counter that a page is gone on with. */
export const nextCursorField = z
  .string()
  .optional()
  .describe('The cursor of the next page; absent on the last.');

/** A list as somebody asked for it. */
export interface Asked {
  /** Which list. */
  readonly list: string;
  /** Whose. */
  readonly scope: Scope;
  /** All that decides which rows are in it; not how many of them are shown, nor how. */
  readonly filter: object;
}

const written = z.tuple([z.string(), z.string(), z.string(), z.string()]);

/**
 * The list from behind a row on. The text is for whoever was given it: with another account's list, or after a
 * change of a letter, it is no cursor; with other filters it is one of another list.
 */
export function cursorAfter(digest: Digest, asked: Asked, { created_at, id }: Placed): string {
  const filter = printOf(digest, asked.filter);
  const place = [created_at, id, filter] as const;
  return opaqueOf([...place, sealOf(digest, asked, place)]);
}

/** The row behind which a list goes on; refuses what is no cursor of it with a 400. */
export function placeOf(digest: Digest, asked: Asked, cursor: string | undefined): Placed | undefined {
  if (cursor === undefined) return undefined;
  const [created_at, id, filter, seal] = partsOf(cursor);
  if (seal !== sealOf(digest, asked, [created_at, id, filter])) throw noCursor();
  if (filter !== printOf(digest, asked.filter)) {
    throw invalid('cursor', 'This cursor was made with other filters.', {
      suggestion: 'Repeat the filters of the call that gave it, or begin anew without cursor.',
    });
  }
  return { created_at, id };
}

/** A cursor says where the list goes on; passing over rows would say it a second time. */
export function refuseSkip({
  cursor,
  skip,
}: {
  readonly cursor?: string | undefined;
  readonly skip: number;
}) {
  if (cursor === undefined || skip === 0) return;
  throw invalid('skip', 'A cursor says where the list goes on: skip goes with no cursor.', {
    suggestion: 'Leave skip out, or the cursor.',
  });
}

function partsOf(cursor: string): z.output<typeof written> {
  const parts = written.safeParse(partsIn(cursor));
  if (!parts.success) throw noCursor();
  return parts.data;
}

function noCursor() {
  return invalid('cursor', 'This is no cursor of this list.', {
    suggestion: 'Give nextCursor of the page before as it is, or begin anew without cursor.',
  });
}

function sealOf(digest: Digest, { list, scope }: Asked, place: readonly [string, string, string]): string {
  return printOf(digest, [list, scope.organizationId, scope.customerId, ...place]);
}

function printOf(digest: Digest, value: object): string {
  return digest(JSON.stringify(value)).slice(0, PRINT_LENGTH);
}
