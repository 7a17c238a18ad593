import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addSecretsCommands } from '../../adapters/cli/secrets.ts';
import { keyIdOf, sealWith } from '../../adapters/ports/secrets.ts';
import { readConfig } from '../../adapters/settings/config.ts';
import { toJson } from '../../store/engine/codec.ts';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { beat } from '../../store/unscoped/processes.ts';
import { insertSigningKey, listSigningKeys } from '../../store/unscoped/signing-keys.ts';
import { signingKeyOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { storeOperator } from '../support/callers/operator.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';

const [OLD, NEW] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)] as const;
const DONE = 'Nothing stored needs';

describe('secrets rotate, while a process starts', () => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await freshDatabase();
    store = openStore(database.url, { connections: 2 });
    await insertSigningKey(store.db, {
      id: 'pair',
      public_jwk: toJson({ kty: 'EC' }),
      private_sealed: sealWith(OLD).seal('{}', signingKeyOwner('pair')),
      created_at: '2026-01-01T00:00:00.000Z',
      retired_at: null,
    });
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  const starts = (keys: readonly Buffer[]) =>
    beat(store.db, { id: 'proc_late', now: new Date().toISOString(), keyIds: keys.map(keyIdOf) });

  /** What the command says when something happens once it has encrypted the first values. */
  async function rotated(meanwhile: () => Promise<void>): Promise<string> {
    const config = readConfig({
      DATABASE_URL: database.url,
      SECRETS_KEY: NEW.toString('base64'),
      SECRETS_KEY_PREVIOUS: OLD.toString('base64'),
    });
    const watched: Store = {
      ...store,
      db: store.db,
      transaction: async (work) => {
        const done = await store.transaction(work);
        await meanwhile();
        return done;
      },
    };
    let said = '';
    const program = new Command();
    addSecretsCommands(program, async (task) => {
      said = await task(storeOperator(store), { config, store: watched });
    });
    await program.parseAsync(['secrets', 'rotate'], { from: 'user' });
    expect((await listSigningKeys(store.db))[0]?.private_sealed).toContain(keyIdOf(NEW));
    return said;
  }

  test('that has the key of before alone does not give that up, and names what to do', async () => {
    const said = await rotated(() => starts([OLD]));

    expect(said).toContain(`came meanwhile without the key ${keyIdOf(NEW)}`);
    expect(said).toContain('run this again');
    expect(said).not.toContain(DONE);
  });

  test('that encrypts with the key of before does not give that up either', async () => {
    const said = await rotated(() => starts([OLD, NEW]));

    expect(said).toContain('still encrypts with a key of before');
    expect(said).not.toContain(DONE);
  });

  test('that encrypts with the newest key says that the others may go', async () => {
    expect(await rotated(() => starts([NEW, OLD]))).toContain(DONE);
  });
});
