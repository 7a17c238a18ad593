import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';

const THREAD = new URL('../../store/engine/aside.mjs', import.meta.url);
const QUICK = 'select ? as value';
/** Counts to its parameter. */
const SLOW =
  'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select max(i) from n';
const MANY = 300_000;

/** With the organization that asks, which is one for each query where none is named. */
type Query = readonly [sql: string, parameter: number, organizationId?: number];

const HANDED_BACK = 'handed back';

interface Told {
  readonly rows?: readonly (readonly unknown[])[];
  readonly isLeft?: true;
}

describe.runIf(engine === 'sqlite')('the thread for reads that may take long', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /**
   * Hands queries over together; gives the first value of each answer, or that it was handed back, message by message.
   */
  async function started(): Promise<(queries: readonly Query[], again?: boolean) => Promise<unknown[][]>> {
    const database: TestDatabase = await freshDatabase();
    const path = new URL(database.url).pathname;
    const thread = new Worker(THREAD, { workerData: { path, pragmas: [] } });
    closing.push(database.drop, () => thread.terminate());
    return (queries, again = false) =>
      new Promise((resolve, reject) => {
        const told: unknown[][] = [];
        const hear = (answers: readonly Told[]) => {
          told.push(answers.map(({ rows, isLeft }) => (isLeft ? HANDED_BACK : rows?.[0]?.[0])));
          if (told.flat().length < queries.length) return;
          thread.off('message', hear);
          resolve(told);
        };
        thread.on('message', hear);
        thread.once('error', reject);
        thread.postMessage(
          queries.map(([sql, parameter, organizationId], id) => ({
            id,
            organizationId: organizationId ?? -id,
            sql,
            parameters: [parameter],
            again,
          })),
        );
      });
  }

  test('tells what is quick before it begins what took long before, whatever came first', async () => {
    const read = await started();
    await read([[SLOW, MANY]]);
    await read([[QUICK, 0]]);

    const told = await read([
      [QUICK, 1],
      [SLOW, MANY],
      [QUICK, 2],
    ]);

    expect(told.at(-1)).toEqual([MANY]);
    expect(told.slice(0, -1).flat()).toEqual([1, 2]);
  });

  test('tells what it has before it begins what it never did', async () => {
    const read = await started();
    await read([[QUICK, 0]]);

    const told = await read([
      [QUICK, 1],
      [SLOW, MANY],
    ]);

    expect(told).toEqual([[1], [MANY]]);
  });

  test('hands back what an organization asks beyond one query that takes long, and goes on to the next', async () => {
    const read = await started();
    await read([[SLOW, MANY]]);
    const [one, other] = [1, 2];

    const told = await read([
      [SLOW, MANY, one],
      [SLOW, MANY + 1, one],
      [SLOW, MANY + 2, one],
      [SLOW, MANY + 3, other],
    ]);

    expect(told.flat()).toEqual([MANY, HANDED_BACK, HANDED_BACK, MANY + 3]);
  });

  test('does what was handed back in its order, before what is quick', async () => {
    const read = await started();
    await read([[SLOW, MANY]]);
    await read([[QUICK, 0]]);

    const told = await read(
      [
        [SLOW, MANY, 1],
        [QUICK, 1, 1],
      ],
      true,
    );

    expect(told.flat()).toEqual([MANY, HANDED_BACK]);
  });

  test('names what a query fails with, and answers the others', async () => {
    const read = await started();

    const told = await read([
      ['select nothing from nowhere where ? = 1', 1],
      [QUICK, 2],
    ]);

    expect(told.flat()).toEqual([undefined, 2]);
  });
});
