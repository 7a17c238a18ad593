import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { engine } from '../support/database/database.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { runCommand, startService } from '../support/server/service.ts';

describe('the start of the service', () => {
  const fresh = freshPlaces();

  test('says where it listens, and answers there', async () => {
    const { url } = await startService(await fresh());

    const health = await fetch(`${url}/health`);

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(health.status).toBe(200);
  });

  test('says in plain words that the database does not answer', async () => {
    const url = engine === 'sqlite' ? 'file:/dev/null/rialto.db' : 'postgres://nobody@127.0.0.1:1/none';

    const { code, stderr } = await runCommand('main.js', await fresh({ DATABASE_URL: url }));

    expect(code).toBe(1);
    const words =
      engine === 'sqlite'
        ? /^\/dev\/null\S* cannot be a file .* Set DATABASE_URL to file:/
        : /^The database at DATABASE_URL does not answer \(\S/;
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test.runIf(engine === 'sqlite' && existsSync('/proc/self'))(
    'says in plain words that the system makes no folder there',
    async () => {
      for (const url of ['file:/proc/rialto.db', 'file:/proc/rialto/rialto.db']) {
        const { code, stderr } = await runCommand('main.js', await fresh({ DATABASE_URL: url }));

        expect(code).toBe(1);
        expect(stderr).toMatch(/^\/proc\/rialto\S* cannot be a file \(ENOENT\)\. Set DATABASE_URL to file:/);
      }
    },
  );

  test('leaves a database file to the process that serves it, and shares a server', async () => {
    const given = await fresh();
    const first = await startService(given);

    if (engine === 'sqlite') {
      const { code, stderr } = await runCommand('main.js', given);
      expect(code).toBe(1);
      expect(stderr).toMatch(/Another process serves the database .+\. Stop it first\.\n$/);
    } else {
      const second = await startService(given);
      expect((await fetch(`${second.url}/health`)).status).toBe(200);
    }

    expect((await fetch(`${first.url}/health`)).status).toBe(200);
    await first.kill();
    const again = await startService(given);
    expect((await fetch(`${again.url}/health`)).status).toBe(200);
  });
});
