import { sql } from 'kysely';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { prepared } from './engine/prepared.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, ofAccount } from './engine/scoped.ts';

/** A change that was made under a key of its caller, so that its repeat is answered and not made again. */
export interface IdempotencyKeyRow {
  organization_id: number;
  /** 0 for what is the organization's and no account's. */
  customer_id: number;
  /** Of the key and of what it was used for: a key itself is kept nowhere. */
  hash: string;
  /** The credential it was made with. */
  principal: string;
  /** Of how far that reached: empty where nothing narrowed it, null in a row of before this was kept. */
  reach: string | null;
  /** Of what was asked. */
  input_hash: string;
  /** The process that is at work on it; null once it is over. */
  process_id: string | null;
  /** What was answered; null while that is not known, and where nobody may keep it. */
  answer: JsonText<Record<string, unknown>> | null;
  existed: Flag;
  resource_type: string;
  resource_id: string | null;
  created_at: string;
  /** Of the answer that is kept. */
  answer_bytes: number;
  /** Which version of its object it left, by which its answer is tagged. */
  version: number | null;
}

declare module './engine/database.ts' {
  interface Database {
    idempotency_keys: IdempotencyKeyRow;
  }
}

export type NewIdempotencyKey = Omit<IdempotencyKeyRow, 'organization_id' | 'customer_id'>;

type Named = Pick<IdempotencyKeyRow, 'organization_id' | 'customer_id' | 'hash'>;

const find = prepared((db, named: Named) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('organization_id', '=', named.organization_id)
    .where('customer_id', '=', named.customer_id)
    .where('hash', '=', named.hash),
);

export function findIdempotencyKey(
  db: Db,
  scope: Scope,
  hash: string,
): Promise<IdempotencyKeyRow | undefined> {
  return find.first(db, ofAccount(scope, { hash }));
}

const insertion = prepared((db, row: Pick<IdempotencyKeyRow, keyof IdempotencyKeyRow>) =>
  db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((key) => key.columns(['organization_id', 'customer_id', 'hash']).doNothing())
    .returning('hash'),
);

/** False when the key is taken. */
export async function insertIdempotencyKey(db: Db, scope: Scope, row: NewIdempotencyKey): Promise<boolean> {
  return (await insertion.first(db, ofAccount(scope, row))) !== undefined;
}

export type Settled = Pick<IdempotencyKeyRow, 'hash' | 'answer' | 'existed' | 'answer_bytes' | 'version'> &
  Partial<Pick<IdempotencyKeyRow, 'resource_id'>>;

/** What became of a change that was under way. */
export async function settleIdempotencyKey(
  db: Db,
  scope: Scope,
  { hash, ...settled }: Settled,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ ...settled, process_id: null })
    .$call(inAccount(scope))
    .where('hash', '=', hash)
    .execute();
}

/** Forgets a key whose time is over, unless it was used anew meanwhile. */
export async function deleteIdempotencyKey(
  db: Db,
  scope: Scope,
  { hash, created_at }: Pick<IdempotencyKeyRow, 'hash' | 'created_at'>,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .$call(inAccount(scope))
    .where('hash', '=', hash)
    .where('created_at', '=', created_at)
    .execute();
}

/** An answer counts as so many bytes at the least: of smaller ones it is enough to know how many there are. */
export const SMALL_ANSWER_BYTES = 4_096;

export interface KeysKept {
  readonly keys: number;
  /** Of their answers, each counted as `SMALL_ANSWER_BYTES` at the least. */
  readonly bytes: number;
}

/**
 * How many keys an account has, counted no further than a limit, and the bytes of their answers. Served by the primary
 * key and by `idempotency_keys_by_size`, which has the larger answers alone: no row is read for it.
 */
export async function countIdempotencyKeys(db: Db, scope: Scope, limit: number): Promise<KeysKept> {
  const { count } = await db
    .selectFrom((from) =>
      from.selectFrom('idempotency_keys').select('hash').$call(inAccount(scope)).limit(limit).as('kept'),
    )
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const large = await db
    .selectFrom('idempotency_keys')
    .select(({ fn }) => [
      fn.countAll().as('count'),
      fn.sum<number | string | null>('answer_bytes').as('bytes'),
    ])
    .$call(inAccount(scope))
    // Written out: an index of some rows serves no query that names their condition by a parameter.
    .where('answer_bytes', '>', sql.lit(SMALL_ANSWER_BYTES))
    .executeTakeFirstOrThrow();
  const small = Math.max(0, Number(count) - Number(large.count));
  return { keys: Number(count), bytes: small * SMALL_ANSWER_BYTES + Number(large.bytes ?? 0) };
}
