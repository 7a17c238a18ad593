import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listeningAt } from '../../adapters/http/listening.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { freePort } from '../support/run/free-port.ts';
import { runHere } from '../support/server/command-line.ts';
import { settingsFor } from '../support/server/service.ts';

const OF_DATABASE = /DATABASE_URL|database at|npm run rialto -- doctor|Set PORT/;

describe('files and ports', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  const at = (name: string) => join(database.folder, name);
  beforeAll(async () => {
    database = await freshDatabase();
    settings = settingsFor(database);
    mkdirSync(at('a-folder'));
    writeFileSync(at('broken.json'), '{"name": ');
    writeFileSync(at('list.json'), '["Acme"]');
    writeFileSync(at('nameless.json'), '{"tone": "Warm."}');
    writeFileSync(at('no.pem'), 'nothing');
  });
  afterAll(() => database.drop());

  const listenAt = (port: number) => [
    ...['webhook', 'listen', '--secret', 'sixteen-characters'],
    ...['--port', String(port)],
  ];
  const listen = listenAt(0);
  const brand = ['brand', 'set', '--domain', 'acme.example', '--manifest'];
  const wrong: readonly (readonly [string, () => readonly string[], RegExp])[] = [
    ['keys that are not there', () => ['legacy-key', 'import', at('no.csv')], /there is no file .*no\.csv\./],
    ['keys in a folder', () => ['legacy-key', 'import', at('a-folder')], /a-folder is no file\./],
    [
      'keys below a file',
      () => ['legacy-key', 'import', at('no.pem/x')],
      /no\.pem\/x cannot be read \(ENOTDIR\)/,
    ],
    [
      'a brand that is not there',
      () => [...brand, at('no.json')],
      /^--manifest: there is no file .*no\.json\./,
    ],
    [
      'a brand of broken JSON',
      () => [...brand, at('broken.json')],
      /broken\.json is no JSON \(.+\)\. Correct it\./,
    ],
    ['a brand that is a list', () => [...brand, at('list.json')], /list\.json holds no JSON object\./],
    [
      'a brand without a name',
      () => [...brand, at('nameless.json')],
      /nameless\.json cannot be used: name: Required/,
    ],
    [
      'a certificate that is not there',
      () => [...listen, '--cert', at('no-cert'), '--key', at('no.pem')],
      /^--cert: there is no file .*no-cert\./,
    ],
    [
      'a certificate that is none',
      () => [...listen, '--cert', at('no.pem'), '--key', at('no.pem')],
      /^--cert and --key are no certificate with its key/,
    ],
    [
      'a host that is none',
      () => [...listen, '--host', '192.0.2.1'],
      /^--host 192\.0\.2\.1 cannot be listened on/,
    ],
    ['a backup that is not there', () => ['restore', at('no.backup')], /there is no file .*no\.backup\./],
    ['a backup that is a folder', () => ['restore', at('a-folder')], /a-folder is no file\./],
    [
      'a backup below a file',
      () => ['backup', at('no.pem/x')],
      /no\.pem\/x cannot be written \((ENOTDIR|EEXIST)\)/,
    ],
    [
      'a database below a file',
      () => ['move', `file:${at('no.pem/x.db')}`],
      /^The other database cannot be used/,
    ],
    ['an address of no database', () => ['move', 'nowhere'], /^<url>: nowhere is no database\./],
  ];

  test.each(wrong)(
    'say of %s what is wrong with it, and nothing of the database',
    async (_what, args, words) => {
      const { code, stdout, stderr } = await runHere(settings, args());

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(words);
      expect(stderr).not.toMatch(OF_DATABASE);
      expect(stderr).not.toMatch(/\n./);
    },
  );

  test('say of a port in use that --port names it', async () => {
    const taken = createServer();
    const port = await listeningAt(taken, { port: 0, host: '127.0.0.1' });

    const { code, stderr } = await runHere(settings, listenAt(port));
    taken.close();

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} is in use. Give --port another one, or 0 for any that is free.\n`,
    });
  });

  test('leave a database that does not answer its own words', async () => {
    const away = { ...settings, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };

    expect((await runHere(away, ['organization', 'list'])).stderr).toMatch(
      /^The database at DATABASE_URL does not answer \(.*ECONNREFUSED.*\)\./,
    );
  });

  test('at which nobody receives are told to who sends there, in the word that subscriptions have for it', async () => {
    const url = `https://127.0.0.1:${await freePort()}/`;
    const open = { ...settings, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' };

    const { code, stdout } = await runHere(open, ['webhook', 'send', url, '--secret', 'sixteen-characters']);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^Not delivered: connection_refused \(econnrefused\)\. Nobody listens there\.\n/);
  });
});
