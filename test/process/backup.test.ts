import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Client, clientFor } from '../support/callers/client.ts';
import { withStore } from '../support/callers/operator.ts';
import { engine } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import { done, flightAhead, newAdvertiser } from '../support/sellers/market.ts';
import { runHere } from '../support/server/command-line.ts';
import { commandsFor, freshPlaces } from '../support/server/own-place.ts';
import { runCommand, settingsFor, startService } from '../support/server/service.ts';

const flightDates = flightAhead();

type Settings = Readonly<Record<string, string>>;

const NEWER = '9999-of-a-newer-version';

/** A service says that it is ready. On a machine that is behind, its beat may be late for a moment. */
function expectReady({ url }: { readonly url: string }): Promise<void> {
  return eventually(async () => {
    const reply = await fetch(`${url}/readyz`);
    expect(`${reply.status} ${await reply.text()}`).toMatch(/^200 /);
  });
}

describe('a backup', { timeout: 120_000 }, () => {
  const places = freshPlaces();

  async function fresh(more: Settings = {}) {
    const place = await places(more);
    return { ...place, serve: () => startService(place.launch), path: join(place.folder, 'test.db') };
  }

  /** A database in which nothing is: on a server the tables are taken out, on a disk there is no file. */
  async function empty(more: Settings = {}) {
    const made = await fresh();
    if (engine === 'postgres') {
      await withStore(made.settings, async ({ db }) => {
        await sql`drop schema public cascade`.execute(db);
        await sql`create schema public`.execute(db);
      });
      return made;
    }
    const database = { ...made, url: `file:${join(made.folder, 'new', 'test.db')}` };
    const settings: Settings = settingsFor(database, more);
    const launch = { folder: made.folder, settings };
    return {
      ...made,
      ...{ settings, launch },
      ...commandsFor(() => settings),
      serve: () => startService(launch),
    };
  }

  /** The whole job: what a fresh installation lets a buyer do. */
  async function walk(buyer: Client): Promise<string> {
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });
    const { discoveryId, productGroups } = done(
      await buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30 }),
    );
    const chosen = `/buyer/discovery/${discoveryId}/products`;
    const refusals: string[] = [];
    for (const { productId, salesAgentId } of productGroups[0].products) {
      // One in an auction would want a bid.
      const { status, text } = await buyer.post(chosen, {
        products: [{ productId, salesAgentId, budget: 10_000 }],
      });
      if (status < 300) break;
      refusals.push(text);
    }
    expect(refusals.length, refusals[0]).toBeLessThan(productGroups[0].products.length);
    const made = { advertiserId, name: 'Winter', flightDates, budget: { total: 10_000 }, discoveryId };
    const { campaignId } = done(await buyer.post('/buyer/campaigns', made)).campaign;
    const executed = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    expect(executed.errors ?? []).toEqual([]);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.status).toBe('ACTIVE');
    return campaignId;
  }

  test('that was made while callers write restores to a service on which the whole job is done', async () => {
    const source = await fresh();
    const [, key = ''] = /(rialtok_test_\w+)/.exec(await source.printed('seed')) ?? [];
    const service = await source.serve();
    const buyer = clientFor(service.url, key);
    const before = await walk(buyer);
    let isWriting = true;
    const writing = (async () => {
      for (let written = 0; ; written += 1)
        if (isWriting) await newAdvertiser(buyer);
        else return written;
    })();
    const file = join(source.folder, 'kept.backup');

    const { stdout: said } = await runCommand('rialto.js', { ...source.launch, args: ['backup', file] });
    isWriting = false;
    await writing;

    expect(said).toContain(`Backup ${file}: `);
    expect(said).toContain('The secrets key is not in it');
    const target = await empty();
    const restored = await runCommand('rialto.js', { ...target.launch, args: ['restore', file] });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const again = await target.serve();
    const anew = clientFor(again.url, key);
    expect(done(await anew.get(`/buyer/campaigns/${before}`)).campaign.status).toBe('ACTIVE');
    await walk(anew);
    await expectReady(again);
  });

  test('is read by its maker alone, and leaves the folder it is put in as that is', async () => {
    const source = await fresh();
    const folder = join(source.folder, 'backups');
    mkdirSync(folder);
    chmodSync(folder, 0o2770);
    const file = join(folder, 'kept.backup');

    await source.printed('backup', file);

    expect([file, folder].map((path) => (statSync(path).mode & 0o7777).toString(8))).toEqual(['600', '2770']);
  });

  test('never overwrites a file', async () => {
    const source = await fresh();
    const file = join(source.folder, 'kept.backup');
    writeFileSync(file, 'mine');

    const { code, stderr } = await source.rialto('backup', file);

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${file} is there already. Name a file that is not.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('holds the secrets key where that was asked for, and gives it back to an installation without one', async () => {
    const source = await fresh();
    const plain = join(source.folder, 'plain.backup');
    const file = join(source.folder, 'whole.backup');
    const key = source.settings['SECRETS_KEY'] ?? '';
    if (engine === 'postgres') {
      const { code, stderr } = await source.rialto('backup', file, '--with-secrets-key');
      expect(code).toBe(1);
      expect(stderr).toContain('never holds the secrets key');
      return;
    }

    await source.printed('backup', plain);
    expect(await source.printed('backup', file, '--with-secrets-key')).toContain('The secrets key is in it');

    expect(readFileSync(plain).includes(key)).toBe(false);
    expect(readFileSync(file).includes(key)).toBe(true);
    expect([plain, file].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600]);
    const target = await empty({ SECRETS_KEY: '' });
    const { code, stdout } = await target.rialto('restore', file);
    expect({ code, said: stdout }).toMatchObject({ code: 0, said: expect.stringContaining('secrets.key') });
    const folder = join(target.folder, 'new');
    expect(readFileSync(join(folder, 'secrets.key'), 'utf8').trim()).toBe(key);
    expect(readFileSync(join(folder, 'test.db')).includes(key)).toBe(false);
  });

  test('is not restored over a database that is in use', async () => {
    const source = await fresh();
    const file = join(source.folder, 'kept.backup');
    await source.printed('backup', file);
    const service = await source.serve();

    const { code, stderr } = await source.rialto('restore', file);

    expect(code).toBe(1);
    expect(stderr).toMatch(engine === 'sqlite' ? /Another process serves the database/ : /is in use/);
    await expectReady(service);
  });

  test('that is damaged, or none of ours, or of a newer version changes nothing', async () => {
    const source = await fresh();
    const target = await empty();
    const [junk, cut, newer] = ['junk', 'cut', 'newer'].map((name) => join(source.folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(junk, 'no backup at all'.repeat(1_000));
    await source.printed('backup', cut);
    const bytes = readFileSync(cut);
    writeFileSync(cut, engine === 'sqlite' ? bytes.fill(0x55, 8_192, 40_960) : bytes.subarray(0, 3_000));
    await withStore(source.settings, ({ db }) =>
      db.insertInto('kysely_migration').values({ name: NEWER, timestamp: '2030' }).execute(),
    );
    await source.printed('backup', newer);

    for (const file of [junk, cut]) {
      const { code, stderr } = await target.rialto('restore', file);
      expect(code).toBe(1);
      expect(stderr).toMatch(/no whole backup|pg_restore failed/);
    }
    const { code, stderr } = await target.rialto('restore', newer);

    expect(code).toBe(1);
    expect(stderr).toContain(`A newer version was here: its database has ${NEWER}`);
  });

  test('of the other database is said to be that, and not to be damaged', async () => {
    const target = await empty();
    const other = join(target.folder, 'other.backup');
    writeFileSync(other, engine === 'sqlite' ? 'PGDMP and more' : 'SQLite format 3 and more');

    expect(await target.refused('restore', other)).toMatch(
      engine === 'sqlite'
        ? /other\.backup is a backup of PostgreSQL, and DATABASE_URL names a file\. Name an empty database/
        : /other\.backup is a backup of SQLite, and DATABASE_URL names a server\. Restore it with DATABASE_URL=file:/,
    );
  });

  test.runIf(engine === 'postgres')(
    'is not said to be damaged where the programs of PostgreSQL are missing',
    async () => {
      const source = await fresh();
      const target = await empty();
      const file = join(source.folder, 'kept.backup');
      await source.printed('backup', file);

      const { code, stderr } = await runHere({ ...target.settings, PATH: '/nowhere' }, ['restore', file]);

      expect(code).toBe(1);
      expect(stderr).toBe(
        `${file} was not restored. Nothing was changed. pg_restore is not installed here. Install the client ` +
          'programs of PostgreSQL, of the version of your server or a later one.\n',
      );
    },
  );

  test('of which any byte changed since it was made is refused, also one within a cell', async () => {
    const source = await fresh();
    const target = await empty();
    const [file, changed] = ['kept', 'changed'].map((name) => join(source.folder, name)) as [string, string];
    await source.printed('org', 'create', '--name', 'Brookside', '--buys');
    await source.printed('backup', file);
    const { length } = readFileSync(file);
    const inCell = readFileSync(file).lastIndexOf('Brookside');
    const inLine = length - 20;

    for (const at of [inCell < 0 ? Math.floor(length / 2) : inCell, inLine]) {
      const bytes = readFileSync(file);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(changed, bytes);

      expect(await target.refused('restore', changed)).toBe(
        `${changed} is no whole backup: bytes of it changed since it was made, for its checksum is another. ` +
          'Nothing was changed. Take another backup, or another copy of this one.',
      );
    }
    await target.printed('restore', file);
    expect(await target.printed('org', 'list')).toContain('Brookside');
  });

  test('of an earlier version, which has no checksum, is restored with a word about that', async () => {
    const source = await fresh();
    const target = await empty();
    const [file, earlier] = ['kept', 'earlier'].map((name) => join(source.folder, name)) as [string, string];
    await source.printed('org', 'create', '--name', 'Brookside', '--buys');
    await source.printed('backup', file);
    const bytes = readFileSync(file);
    writeFileSync(earlier, bytes.subarray(0, bytes.lastIndexOf('\nbackup sha256 ')));

    expect(await target.printed('restore', earlier)).toContain('It has no checksum, as backups of earlier');

    expect(await target.printed('org', 'list')).toContain('Brookside');
  });

  test.runIf(engine === 'sqlite')(
    'restored in place of another moves that out of the way, whole',
    async () => {
      const source = await fresh();
      const file = join(source.folder, 'kept.backup');
      await source.printed('backup', file);
      await source.printed('org', 'create', '--name', 'Later', '--buys');

      expect((await source.rialto('restore', file)).stderr).toContain('Add --replace');
      const said = await source.printed('restore', file, '--replace');

      const [, aside = ''] = /What was there is (.+)\.$/m.exec(said) ?? [];
      expect(await source.printed('org', 'list')).not.toContain('Later');
      const moved = { ...source.settings, DATABASE_URL: `file:${aside}` };
      const listed = await runHere(moved, ['organization', 'list']);
      expect(listed.stdout).toContain('Later');
    },
  );

  test.runIf(engine === 'sqlite')(
    'is what is restored, where a log of a database is left that is gone itself',
    async () => {
      const source = await fresh();
      const { path } = source;
      const file = join(source.folder, 'kept.backup');
      await source.printed('backup', file);
      const service = await source.serve();
      await source.printed('org', 'create', '--name', 'Later', '--buys');
      await service.kill();
      rmSync(path);

      const said = await source.printed('restore', file);

      expect(await source.printed('org', 'list')).not.toContain('Later');
      const [, aside = ''] = /What was there is (.+)\.$/m.exec(said) ?? [];
      expect(aside).toMatch(/-wal$/);
      expect(existsSync(aside)).toBe(true);
    },
  );
});
