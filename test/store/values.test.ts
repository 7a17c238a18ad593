import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromFlag, fromJson, toFlag, toJson } from '../../store/engine/codec.ts';
import type { Store } from '../../store/engine/db.ts';
import { isUniqueViolation } from '../../store/engine/dialect.ts';
import { openStore } from '../../store/open.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { roundsOf, timeoutOf } from '../support/run/effort.ts';

const at = '2026-12-01T09:00:00.000Z';

describe('values on their way to the database and back', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await freshDatabase();
    store = openStore(database.url, { connections: 2 });
    await store.migrate();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /** What a text column gives back of a text. */
  async function throughText(text: string): Promise<string> {
    const { seen_at } = await store.db
      .insertInto('processes')
      .values({ id: 'text', started_at: at, seen_at: text })
      .onConflict((key) => key.column('id').doUpdateSet({ seen_at: text }))
      .returning('seen_at')
      .executeTakeFirstOrThrow();
    return seen_at;
  }

  async function organizationWith(id: number) {
    const organization = {
      id,
      name: 'Acme',
      domain: null,
      kind: 'customer' as const,
      parent_id: null,
      tier: 'basic' as const,
      alpha: toFlag(true),
      created_at: at,
      updated_at: at,
    };
    return store.db.insertInto('organizations').values(organization).returningAll().executeTakeFirstOrThrow();
  }

  test('flags are 0 and 1 there, and true and false here', async () => {
    const { id, alpha } = await organizationWith(1_001);

    expect([alpha, fromFlag(alpha)]).toEqual([1, true]);
    expect([toFlag(true), toFlag(false), fromFlag(1), fromFlag(0)]).toEqual([1, 0, true, false]);
    await store.db
      .updateTable('organizations')
      .set({ alpha: toFlag(false) })
      .where('id', '=', id)
      .execute();
    const found = await store.db.selectFrom('organizations').select('alpha').where('id', '=', id).execute();
    expect(found).toEqual([{ alpha: 0 }]);
  });

  test(
    'JSON comes back as it went, whatever it holds',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
          const there = toJson(value);
          expect(fromJson(toJson(fromJson(there)))).toEqual(JSON.parse(JSON.stringify(value)));
          // PostgreSQL keeps no NUL; JSON writes it as an escape.
          expect(await throughText(there)).toBe(there);
        }),
        { numRuns: roundsOf(60, 2_000) },
      );
    },
    timeoutOf(30_000),
  );

  test(
    'text comes back letter by letter, in every alphabet',
    async () => {
      const letters = [
        'a',
        'Z',
        '0',
        ' ',
        '\n',
        '\t',
        '\u0001',
        '%',
        '_',
        '\\',
        '"',
        '?',
        '$1',
        'é',
        'İ',
        'ß',
        '漢',
        '🙂',
        '\u200f',
      ];
      const texts = fc.string({ unit: fc.constantFrom(...letters, "'") });
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          expect(await throughText(text)).toBe(text);
        }),
        { numRuns: roundsOf(60, 2_000) },
      );
    },
    timeoutOf(30_000),
  );

  test('whole numbers come back exactly, up to the largest that JavaScript can hold', async () => {
    for (const id of [1, 2 ** 31, 2 ** 32 + 1, 2 ** 53 - 2, Number.MAX_SAFE_INTEGER]) {
      expect((await organizationWith(id)).id).toBe(id);
    }
  });

  test('numbers from the database are numbers, sums of them too', async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select count(*) as counted, max(id) as largest from organizations`.execute(store.db);

    expect(rows[0]?.['counted']).toBeTypeOf('number');
    expect(rows[0]?.['largest']).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('a broken unique key is known as one, and another failure is not', async () => {
    await organizationWith(77);

    const twice = await organizationWith(77).catch((error: unknown) => error);
    const orphan = await store.db
      .insertInto('terms_acceptances')
      .values({ organization_id: 4_040, version: 'never', user_id: null, via: 'rest', accepted_at: at })
      .execute()
      .catch((error: unknown) => error);
    const nowhere = await sql`select * from nowhere`.execute(store.db).catch((error: unknown) => error);

    expect(isUniqueViolation(twice)).toBe(true);
    expect(isUniqueViolation(nowhere)).toBe(false);
    expect(orphan).toBeInstanceOf(Error);
    expect(isUniqueViolation(orphan)).toBe(false);
  });
});
