import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db, Store } from '../../store/engine/db.ts';
import { prepared } from '../../store/engine/prepared.ts';
import { openStore } from '../../store/open.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { roundsOf, timeoutOf } from '../support/run/effort.ts';

type Key = { id: string };
type Row = { id: string; started_at: string; seen_at: string };

const readPrepared = prepared((db, { id }: Key) =>
  db.selectFrom('processes').select('seen_at').where('id', '=', id),
);
const putPrepared = prepared((db, row: Row) =>
  db
    .insertInto('processes')
    .values(row)
    .onConflict((key) => key.column('id').doUpdateSet((eb) => ({ seen_at: eb.ref('excluded.seen_at') }))),
);

async function read(db: Db, id: string, isPrepared: boolean): Promise<number> {
  const row = isPrepared
    ? await readPrepared.first(db, { id })
    : await db.selectFrom('processes').select('seen_at').where('id', '=', id).executeTakeFirst();
  return Number(row?.seen_at ?? 0);
}

async function put(db: Db, write: { id: string; value: number; isPrepared: boolean }): Promise<void> {
  const seen_at = String(write.value);
  const row = { id: write.id, started_at: '', seen_at };
  if (write.isPrepared) await putPrepared.all(db, row);
  else
    await db
      .insertInto('processes')
      .values(row)
      .onConflict((key) => key.column('id').doUpdateSet({ seen_at }))
      .execute();
}

/** Lets others go on: in this turn of the event loop, or until the next one. */
type Pause = 'none' | 'microtask' | 'turn';
async function pause(how: Pause): Promise<void> {
  if (how === 'microtask') await Promise.resolve();
  if (how === 'turn') await new Promise((resolve) => setImmediate(resolve));
}

async function pauses(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await pause('microtask');
}

interface Step {
  readonly kind: 'write' | 'commit' | 'rollback' | 'read' | 'readPair';
  readonly isPrepared: boolean;
  readonly pause: Pause;
  /** Whose key a read looks at. */
  readonly whose: number;
}

const CLIENTS = 4;
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('write', 'commit', 'rollback', 'read', 'read', 'readPair'),
  isPrepared: fc.boolean(),
  pause: fc.constantFrom<Pause>('none', 'microtask', 'turn'),
  whose: fc.nat(CLIENTS - 1),
});
const clients = fc.array(fc.array(step, { maxLength: 12 }), { minLength: CLIENTS, maxLength: CLIENTS });

/** What the clients know of the database: one writes each key, its values only grow. */
class Model {
  /** The last value whose write was answered. */
  readonly answered = new Map<string, number>();
  /** The last value that was asked to be written for good. */
  readonly asked = new Map<string, number>();
  readonly takenBack = new Set<number>();
  #value = 0;

  next(): number {
    this.#value += 1;
    return this.#value;
  }

  /** Notes a write as asked for now, and as answered once it is. */
  async writing(ids: readonly string[], value: number, work: () => Promise<unknown>): Promise<void> {
    for (const id of ids) this.asked.set(id, value);
    await work();
    for (const id of ids) this.answered.set(id, value);
  }

  /** A read sees the last write that was answered before it, or a later one, and nothing taken back. */
  async reading(id: string, work: () => Promise<number>): Promise<void> {
    const atLeast = this.answered.get(id) ?? 0;
    const value = await work();
    expect(value).toBeGreaterThanOrEqual(atLeast);
    expect(value).toBeLessThanOrEqual(this.asked.get(id) ?? 0);
    expect(this.takenBack.has(value)).toBe(false);
  }
}

const singleOf = (run: number, client: number) => `${run}-${client}-single`;
const pairOf = (run: number, client: number) => [`${run}-${client}-left`, `${run}-${client}-right`] as const;

class Refused extends Error {}

interface Play {
  readonly store: Store;
  readonly model: Model;
  readonly run: number;
  readonly client: number;
}

/** Writes both keys of the pair, reads its own writes, and keeps them or takes them back. */
function transaction({ store, model, run, client }: Play, { isPrepared, ...rest }: Step, value: number) {
  const [left, right] = pairOf(run, client);
  return store.transaction(async (tx) => {
    const before = await read(tx, left, isPrepared);
    expect(before).toBe(model.answered.get(left) ?? 0);
    await put(tx, { id: left, value, isPrepared });
    await pause(rest.pause);
    expect(await read(tx, left, !isPrepared)).toBe(value);
    expect(await read(tx, right, isPrepared)).toBe(before);
    await put(tx, { id: right, value, isPrepared: !isPrepared });
    await pause(rest.pause);
    if (rest.kind === 'rollback') throw new Refused();
  });
}

async function readPair(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('processes').select('seen_at').where('id', 'in', ids).execute();
  return rows.map(({ seen_at }) => seen_at);
}

const steps: Readonly<Record<Step['kind'], (play: Play, step: Step) => Promise<void>>> = {
  write: ({ store, model, run, client }, { isPrepared }) => {
    const id = singleOf(run, client);
    const value = model.next();
    return model.writing([id], value, () => put(store.db, { id, value, isPrepared }));
  },
  commit: (play, step) => {
    const value = play.model.next();
    return play.model.writing(pairOf(play.run, play.client), value, () => transaction(play, step, value));
  },
  rollback: async (play, step) => {
    const value = play.model.next();
    play.model.takenBack.add(value);
    await expect(transaction(play, step, value)).rejects.toBeInstanceOf(Refused);
  },
  read: async ({ store, model, run }, { whose, isPrepared }) => {
    const ids = [singleOf(run, whose), ...pairOf(run, whose)];
    for (const id of ids) await model.reading(id, () => read(store.db, id, isPrepared));
  },
  readPair: async ({ store, run }, { whose }) => {
    const values = await readPair(store.db, pairOf(run, whose));
    expect(new Set(values).size).toBeLessThanOrEqual(1);
    expect(values.length === 0 || values.length === 2).toBe(true);
  },
};

async function play(part: Play, script: readonly Step[]): Promise<void> {
  for (const next of script) {
    await steps[next.kind](part, next);
    await pause(next.pause);
  }
}

describe('reads, writes and transactions of many callers at once', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await freshDatabase();
    store = openStore(database.url, { connections: 4 });
    await store.migrate();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  test(
    'a read sees every write answered before it, whole transactions, and nothing taken back',
    async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(clients, async (scripts) => {
          run += 1;
          const model = new Model();
          await Promise.all(scripts.map((script, client) => play({ store, model, run, client }, script)));
          for (const [id, value] of model.answered) expect(await read(store.db, id, true)).toBe(value);
        }),
        { numRuns: roundsOf(60, 5_000), endOnFailure: true },
      );
    },
    timeoutOf(30_000),
  );

  test('what another connection committed is seen from the next turn of the event loop on', async () => {
    const other = openStore(database.url, { connections: 1 });
    await read(store.db, 'shared', true);

    await put(other.db, { id: 'shared', value: 5, isPrepared: false });
    await pause('turn');

    expect(await read(store.db, 'shared', true)).toBe(5);
    await other.close();
  });

  test('a write that fails for what another connection wrote is followed by reads that see it', async () => {
    const other = openStore(database.url, { connections: 1 });
    await read(store.db, 'contested', true);
    const row = { id: 'contested', started_at: '', seen_at: '7' };
    await other.db.insertInto('processes').values(row).execute();

    await expect(store.db.insertInto('processes').values(row).execute()).rejects.toThrow();

    expect(await read(store.db, 'contested', true)).toBe(7);
    await other.close();
  });

  test('a transaction that fails leaves nothing, and the next one begins clean', async () => {
    const failing = store.transaction(async (tx) => {
      await put(tx, { id: 'failing', value: 1, isPrepared: true });
      await tx.insertInto('processes').values({ id: 'failing', started_at: '', seen_at: '' }).execute();
    });

    await expect(failing).rejects.toThrow();
    expect(await read(store.db, 'failing', true)).toBe(0);
    await store.transaction((tx) => put(tx, { id: 'failing', value: 2, isPrepared: true }));
    expect(await read(store.db, 'failing', false)).toBe(2);
  });

  test('a transaction that a close cuts off is there whole or not at all', async () => {
    for (let later = 0; later < 60; later += 1) {
      const other = openStore(database.url, { connections: 1 });
      const ids = [`cut-${later}-a`, `cut-${later}-b`];
      const cut = other.transaction(async (tx) => {
        for (const id of ids) {
          await put(tx, { id, value: 1, isPrepared: true });
          await pauses(30);
        }
      });
      const settled = Promise.allSettled([cut]);
      await pauses(later);
      await other.close();
      await settled;
      await pause('turn');

      expect([0, 2]).toContain((await readPair(store.db, ids)).length);
    }
  });

  test('of two transactions that commit at once, the failure of one leaves the other whole', async () => {
    const [kept, lost] = await Promise.allSettled([
      store.transaction((tx) => put(tx, { id: 'kept', value: 1, isPrepared: true })),
      store.transaction(async (tx) => {
        await put(tx, { id: 'lost', value: 1, isPrepared: true });
        throw new Refused();
      }),
    ]);

    expect([kept.status, lost.status]).toEqual(['fulfilled', 'rejected']);
    expect(await read(store.db, 'kept', true)).toBe(1);
    expect(await read(store.db, 'lost', true)).toBe(0);
  });

  test('every one of many writes at once is there afterwards', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `many-${index}`);

    await Promise.all(
      ids.map((id, value) =>
        value % 2 === 0
          ? put(store.db, { id, value: 1, isPrepared: value % 4 === 0 })
          : store.transaction((tx) => put(tx, { id, value: 1, isPrepared: true })),
      ),
    );

    const { total } = await store.db
      .selectFrom('processes')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('id', 'like', 'many-%')
      .executeTakeFirstOrThrow();
    expect(Number(total)).toBe(ids.length);
  });
});
