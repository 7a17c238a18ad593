import { describe, expect, test } from 'vitest';
import { startProblem } from '../../adapters/process/start-problem.ts';
import { ConfigError } from '../../adapters/settings/config.ts';

const FILE = { databaseUrl: 'file:/srv/rialto/rialto.db', host: 'db-host', port: 4000, metricsPort: 9464 };
const SERVER = { ...FILE, databaseUrl: 'postgres://rialto@db/rialto' };

interface Problem {
  readonly error: Error;
  readonly config: typeof FILE;
  readonly words: RegExp;
}

const failure = (facts: object, message = 'said by the system') => Object.assign(new Error(message), facts);

describe('a start that failed says what to do', () => {
  test.each<[when: string, Problem]>([
    [
      'its port is in use',
      {
        error: failure({ code: 'EADDRINUSE', port: 4000 }),
        config: FILE,
        words: /^The port is in use\. Set PORT /,
      },
    ],
    [
      'the operator’s port is in use',
      {
        error: failure({ code: 'EADDRINUSE', port: 9464 }),
        config: FILE,
        words: /^Port 9464 is in use\. Set METRICS_PORT /,
      },
    ],
    [
      'its port is for others',
      {
        error: failure({ code: 'EACCES', syscall: 'listen', port: 80 }),
        config: FILE,
        words: /port 80\. Set PORT to 1024 or more/,
      },
    ],
    [
      'its address is another machine’s',
      { error: failure({ code: 'EADDRNOTAVAIL' }), config: FILE, words: /^HOST db-host is no address/ },
    ],
    [
      'its address is none',
      {
        error: failure({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db-host' }),
        config: FILE,
        words: /^HOST db-host is no address/,
      },
    ],
    [
      'the file is another user’s',
      {
        error: failure({ code: 'EACCES', syscall: 'open', path: '/srv/rialto/rialto.db' }),
        config: FILE,
        words:
          /may not read and write \/srv\/rialto\/rialto\.db\. .*chown -R <user> \/srv\/rialto; chmod u\+rwX/,
      },
    ],
    [
      'the file cannot be written',
      { error: failure({ code: 'SQLITE_READONLY' }), config: FILE, words: /chown -R <user> \/srv\/rialto/ },
    ],
    [
      'the file cannot be opened',
      { error: failure({ code: 'SQLITE_CANTOPEN' }), config: FILE, words: /\/srv\/rialto\/rialto\.db/ },
    ],
    [
      'the folder of the file is another user’s',
      {
        error: failure({ code: 'EACCES', syscall: 'mkdir', path: '/srv/rialto' }),
        config: FILE,
        words: /chown -R <user> \/srv; .*or set DATABASE_URL to a place that is its own\.$/,
      },
    ],
    [
      'a file that is not the database is another user’s',
      {
        error: failure({ code: 'EACCES', syscall: 'open', path: '/srv/rialto/secrets.key' }),
        config: FILE,
        words: /read and write \/srv\/rialto\/secrets\.key\. .*\(chown [^)]*\)\.$/,
      },
    ],
    [
      'a file stands where a folder for mails is to be',
      {
        error: failure({ code: 'EEXIST', syscall: 'mkdir', path: '/srv/rialto/mails' }),
        config: FILE,
        words: /^\/srv\/rialto\/mails cannot be used \(EEXIST\)\. Move what is there/,
      },
    ],
    [
      'the disk is mounted to be read',
      { error: failure({ code: 'EROFS' }), config: FILE, words: /Mount it for writing/ },
    ],
    [
      'the disk is full',
      { error: failure({ code: 'SQLITE_FULL' }), config: FILE, words: /no room on the disk of \/srv/ },
    ],
    [
      'the disk is full while a folder is made',
      { error: failure({ code: 'ENOSPC' }), config: FILE, words: /no room on the disk/ },
    ],
    [
      'the path is a folder',
      {
        error: failure({ code: 'EISDIR' }),
        config: FILE,
        words: /Set DATABASE_URL to file:<path of a file>/,
      },
    ],
    [
      'the system makes no folder there',
      {
        error: failure({ code: 'ENOENT', syscall: 'mkdir', path: '/srv/rialto' }),
        config: FILE,
        words: /^\/srv\/rialto cannot be a file \(ENOENT\)\. Set DATABASE_URL to file:<path of a file>/,
      },
    ],
    [
      'the file is no database',
      { error: failure({ code: 'SQLITE_NOTADB' }), config: FILE, words: /restore <file> --replace/ },
    ],
    [
      'the disk is broken',
      {
        error: failure({ code: 'SQLITE_IOERR_READ' }),
        config: FILE,
        words: /Look at it before anything else/,
      },
    ],
    [
      'the file is held by another program',
      { error: failure({ code: 'SQLITE_BUSY' }), config: FILE, words: /fuser \/srv/ },
    ],
    [
      'the password is wrong',
      {
        error: failure({ code: '28P01' }),
        config: SERVER,
        words: /Correct user and password in DATABASE_URL/,
      },
    ],
    [
      'the database is not there',
      { error: failure({ code: '3D000' }, 'database "x" does not exist'), config: SERVER, words: /createdb/ },
    ],
    [
      'the user may make no tables',
      { error: failure({ code: '42501' }), config: SERVER, words: /grant usage, create on schema/ },
    ],
    [
      'the server is full',
      { error: failure({ code: '53300' }), config: SERVER, words: /Lower DATABASE_CONNECTIONS/ },
    ],
    [
      'the server is not there',
      { error: failure({ code: 'ECONNREFUSED' }), config: SERVER, words: /does not answer .* Start it/ },
    ],
    ['the server starts', { error: failure({ code: '57P03' }), config: SERVER, words: /does not answer/ }],
    [
      'none of the addresses of the server answers',
      {
        error: new AggregateError([failure({ code: 'ECONNREFUSED' }, 'connect ECONNREFUSED ::1:5432')]),
        config: SERVER,
        words: /does not answer/,
      },
    ],
  ])('when %s', (_when, { error, config, words }) => {
    expect(startProblem(error, config)).toMatch(words);
  });

  test('in the words of the settings where these are wrong, and of the error where nobody knows better', () => {
    expect(startProblem(new ConfigError(['PORT: wrong.']), undefined)).toContain('PORT: wrong.');
    expect(startProblem(new Error('Odd.'), FILE)).toBe('The service could not start: Odd.');
  });
});
