import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { listOrganizations } from '../../store/unscoped/organizations.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { storeOperator, withStore } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';

const NAME = 'Acme';

describe('a database for tests', () => {
  const given: TestDatabase[] = [];
  afterAll(async () => {
    for (const database of given) await database.drop();
  });

  const settingsOf = ({ url }: TestDatabase) => ({ DATABASE_URL: url });
  /** Makes an organization; gives its number and how many there are. */
  const makeOne = (database: TestDatabase) =>
    withStore(settingsOf(database), async (store) => {
      const { organization } = await createOrganization(storeOperator(store), {
        name: NAME,
        roles: ['BUYER'],
      });
      return [organization.id, (await listOrganizations(store.db)).length];
    });

  test('that another test used and gave back is as a new one: nothing is in it, and ids begin with one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const database = await freshDatabase();
      expect(await makeOne(database)).toEqual([1, 1]);
      await database.drop();
    }
  });

  test('that was given back has what the migrations put into it, and no other of that kind', async () => {
    const numberingOf = (database: TestDatabase) =>
      withStore(settingsOf(database), ({ db }) => db.selectFrom('audit_numbering').selectAll().execute());
    const first = await freshDatabase();
    const before = await numberingOf(first);
    await withStore(settingsOf(first), ({ db }) => db.deleteFrom('audit_numbering').execute());
    await first.drop();

    for (let round = 0; round < 2; round += 1) {
      const database = await freshDatabase();
      expect(await numberingOf(database)).toEqual(before);
      await database.drop();
    }
    expect(before).toHaveLength(1);
  });

  test('whose tables a test changed comes back to nobody', async () => {
    const changed = await freshDatabase();
    await withStore(settingsOf(changed), ({ db }) =>
      sql`alter table organizations add column later text`.execute(db),
    );
    await changed.drop();
    const next = [await freshDatabase(), await freshDatabase()];
    given.push(...next);

    for (const database of next) {
      const added = withStore(settingsOf(database), ({ db }) =>
        sql`select later from organizations`.execute(db),
      );
      await expect(added).rejects.toThrow('later');
    }
  });
});
