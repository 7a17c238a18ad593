import type { Generated, Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, ofAccount } from './engine/scoped.ts';
import { lockAccount } from './organizations.ts';
import type { accountEventTypes } from './webhooks.ts';

export type AccountEventType = (typeof accountEventTypes)[number];

/** What happened to a campaign or a media buy of an account, in the bytes that are sent of it. */
export interface AccountEventTable {
  sequence: Generated<number>;
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  event_type: AccountEventType;
  payload: string;
  /**
   * Where it stands in the stream of its account, together with `sequence`; null until somebody reads the stream.
   * Sequences are drawn before they are stored, so that a reader who went by them alone would pass over what is
   * stored later.
   */
  place: number | null;
  created_at: string;
}

export type AccountEventRow = Selectable<AccountEventTable>;

declare module './engine/database.ts' {
  interface Database {
    account_events: AccountEventTable;
  }
}

/** Stores an event, inside the transaction of what it tells of; gives its number. */
export async function insertEvent(
  db: Db,
  scope: Scope,
  event: Pick<AccountEventRow, 'id' | 'advertiser_id' | 'event_type' | 'payload' | 'created_at'>,
): Promise<number> {
  const { sequence } = await db
    .insertInto('account_events')
    .values(ofAccount(scope, { ...event, place: null }))
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return sequence;
}

/** A place in the stream of an account: everything up to it has been read. */
export interface Place {
  readonly place: number;
  readonly sequence: number;
}

export const STREAM_BEGIN: Place = { place: 0, sequence: 0 };

/** Whether a place comes after another one. */
export function isAfter(one: Place, other: Place): boolean {
  return one.place > other.place || (one.place === other.place && one.sequence > other.sequence);
}

/** Whether there are events of the account that have no place yet. */
export async function hasUnplaced(db: Db, scope: Scope): Promise<boolean> {
  const row = await db
    .selectFrom('account_events')
    .select('sequence')
    .$call(inAccount(scope))
    .where('place', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Events that are given their place at a time: an account of which nobody read the stream may have any number. */
export const PLACED_AT_ONCE = 500;

/**
 * Gives events that are stored by now the next place in the stream, those of one moment in the order of their
 * sequence, and the first of them where they are many; says whether there may be more. One transaction of an account
 * at a time: what is stored later comes after everything that was read. Served by `account_events_by_account`.
 */
export async function placeEvents(tx: Db, scope: Scope): Promise<boolean> {
  await lockAccount(tx, scope);
  const unplaced = await tx
    .selectFrom('account_events')
    .select(['sequence', 'created_at'])
    .$call(inAccount(scope))
    .where('place', 'is', null)
    .orderBy('sequence')
    .limit(PLACED_AT_ONCE)
    .execute();
  if (unplaced.length === 0) return false;
  const { place: last } = await lastPlace(tx, scope);
  const sequences = unplaced.map(({ sequence }) => sequence);
  // Never before its moment: the places of what is forgotten by now are known to those who have followed since.
  const moments = unplaced.map(({ created_at }) => Date.parse(created_at));
  const place = Math.max(last + 1, ...moments);
  await tx
    .updateTable('account_events')
    .set({ place })
    .$call(inAccount(scope))
    .where(isOneOf(tx, 'sequence', sequences))
    .execute();
  return unplaced.length === PLACED_AT_ONCE;
}

/** The end of the stream as it stands. */
export async function lastPlace(db: Db, scope: Scope): Promise<Place> {
  const row = await db
    .selectFrom('account_events')
    .select(['place', 'sequence'])
    .$call(inAccount(scope))
    .where('place', 'is not', null)
    .orderBy('place', 'desc')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? STREAM_BEGIN : { place: row.place ?? 0, sequence: row.sequence };
}

/** Where an event of the account stands in its stream; undefined where it is kept no more, or never was. */
export async function findPlace(db: Db, scope: Scope, id: string): Promise<Place | undefined> {
  const row = await db
    .selectFrom('account_events')
    .select(['place', 'sequence'])
    .$call(inAccount(scope))
    .where('id', '=', id)
    .where('place', 'is not', null)
    .orderBy('place')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : { place: row.place ?? 0, sequence: row.sequence };
}

/** The events after a place that the caller's grants reach, oldest first. */
export function listEventsAfter(
  db: Db,
  scope: Scope,
  { after, limit }: { after: Place; limit: number },
): Promise<AccountEventRow[]> {
  return db
    .selectFrom('account_events')
    .selectAll()
    .$call(inAccount(scope))
    .$if(scope.advertiserIds !== null, (query) =>
      query.where(isOneOf(db, 'advertiser_id', scope.advertiserIds ?? [])),
    )
    .where(({ and, eb, or }) =>
      or([
        eb('place', '>', after.place),
        and([eb('place', '=', after.place), eb('sequence', '>', after.sequence)]),
      ]),
    )
    .orderBy('place')
    .orderBy('sequence')
    .limit(limit)
    .execute();
}
