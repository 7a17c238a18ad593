import { expect, test } from 'vitest';
import { runOnPostgres } from '../../adapters/cli/programs.ts';

/** Says what it was started with. */
const TELLS = 'console.log(JSON.stringify([process.argv.slice(1), process.env.PGPASSWORD ?? null]))';

test.each([
  ['postgres://user:top%20secret@db.example:5433/name', 'postgres://user@db.example:5433/name', 'top secret'],
  [
    'postgres://db.example/name?user=user&password=top%20secret&sslmode=require',
    'postgres://db.example/name?user=user&sslmode=require',
    'top secret',
  ],
  [
    'postgres://user:another@db.example/name?password=one&password=top+secret',
    'postgres://user@db.example/name',
    'top secret',
  ],
  [
    'postgres://user@db.example/name?sslpassword=top-secret&options=-c%20a%3Db%2Bc',
    'postgres://user@db.example/name?options=-c%20a%3Db%2Bc',
    null,
  ],
  [
    'postgres:///name?host=/var/run&password=top%2Bsecret',
    'postgres:///name?host=%2Fvar%2Frun',
    'top+secret',
  ],
])('no password of %s stands among the arguments of a program', async (url, shown, password) => {
  const said = await runOnPostgres(process.execPath, url, ['-e', TELLS, '--']);

  expect(JSON.parse(said)).toEqual([[`--dbname=${shown}`], password]);
});
