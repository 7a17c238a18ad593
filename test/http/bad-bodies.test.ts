import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/callers/refusals.ts';
import { echoTools } from '../support/server/echo-tool.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { openSocket, type RawReply, readToEnd, requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const JSON_TYPE = 'application/json';

describe('a body', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      tools: echoTools,
      settings: { BODY_MAX_BYTES: '4096', BODY_MAX_DEPTH: '8', BODY_MAX_VALUES: '2010' },
    });
  });
  afterAll(() => server.stop());

  const send = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    sendBytes(
      server.url,
      requestText(
        'POST /api/v2/buyer/echo',
        { 'Content-Type': JSON_TYPE, 'Content-Length': String(Buffer.byteLength(body)), ...headers },
        body,
      ),
    );

  const chunked = (...chunks: readonly string[]) => {
    const text = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('');
    const head = { 'Content-Type': JSON_TYPE, 'Transfer-Encoding': 'chunked' };
    return sendBytes(server.url, requestText('POST /api/v2/buyer/echo', head, `${text}0\r\n\r\n`));
  };

  const expectRefused = (reply: RawReply, words: RegExp) => {
    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words });
  };

  describe('that cannot be read', () => {
    test.each([
      ['half an object', '{"word":'],
      ['two objects', '{}{}'],
      ['a bare word', 'word'],
      ['single quotes', "{'word':'a'}"],
      ['a comma too many', '{"word":"a",}'],
      ['a number that JSON does not know', '{"count":NaN}'],
      ['a raw line feed in a text', '{"word":"a\nb"}'],
      ['a byte order mark', '\ufeff{}'],
      ['nothing but blanks', '   '],
    ])('is refused: %s', async (_what, body) => {
      expectRefused(await send(body), /not valid JSON/);
    });

    test.each([
      ['a byte that begins nothing', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      [
        'a character cut off',
        Buffer.concat([Buffer.from('{"word":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
      ],
      [
        'an overlong slash',
        Buffer.concat([Buffer.from('{"word":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
      ],
      ['UTF-16', Buffer.from('\ufeff{"word":"a"}', 'utf16le')],
    ])('is refused as no UTF-8: %s', async (_what, body) => {
      expectRefused(await send(body), /UTF-8/);
    });

    test('is read where the character that stands for broken UTF-8 was really sent', async () => {
      expect((await send('{"word":"\ufffd"}')).body.data).toEqual({ given: { word: '\ufffd' } });
    });

    test.each([
      ['ends before it is whole', 'Content-Length: 99', '{'],
      ['breaks off between its chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n'],
      ['has a chunk of no length', 'Transfer-Encoding: chunked', '1\r\n{\r\nnone\r\n'],
    ])('is refused at once when it %s, and its connection ends', async (_what, coding, part) => {
      const socket = await openSocket(server.url);
      const answer = readToEnd(socket);
      const [name = '', value = ''] = coding.split(': ');

      socket.end(requestText('POST /api/v2/buyer/echo', { 'Content-Type': JSON_TYPE, [name]: value }, part));

      expect(String(await answer)).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s);
    });

    test('is refused when it ends before it is whole, and the server goes on', async () => {
      const socket = await openSocket(server.url);
      const ended = readToEnd(socket);
      socket.write(
        requestText('POST /api/v2/buyer/echo', { 'Content-Type': JSON_TYPE, 'Content-Length': '99' }, '{'),
      );
      socket.destroy();
      await ended;

      expect((await send('{}')).status).toBe(200);
    });
  });

  describe('of another type', () => {
    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/xml',
      'json',
      '',
    ])('is refused: %j', async (type) => {
      expectRefused(await send('{}', { 'Content-Type': type }), /Content-Type: application\/json/);
    });

    test('is refused when it says no type', async () => {
      const reply = await sendBytes(
        server.url,
        requestText('POST /api/v2/buyer/echo', { 'Content-Length': '2' }, '{}'),
      );

      expectRefused(reply, /Content-Type: application\/json/);
    });

    test('is refused in another charset, or compressed', async () => {
      expectRefused(await send('{}', { 'Content-Type': 'application/json; charset=latin1' }), /utf-8/);
      expectRefused(await send('{}', { 'Content-Encoding': 'gzip' }), /compressed/);
    });

    test.each([
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/merge-patch+json',
    ])('is read as JSON: %s', async (type) => {
      expect((await send('{"word":"a"}', { 'Content-Type': type })).body.data).toEqual({
        given: { word: 'a' },
      });
    });
  });

  describe('that is too large', () => {
    const large = JSON.stringify({ word: 'x'.repeat(5_000) });

    test('is refused by its declared length, the limit in the message', async () => {
      expectRefused(await send(large), /larger than 4096 bytes/);
    });

    test('is refused while it comes when it declares no length', async () => {
      expectRefused(await chunked(large.slice(0, 3_000), large.slice(3_000)), /larger than 4096 bytes/);
    });

    test('is refused by its declared length before a byte of it has come', async () => {
      const socket = await openSocket(server.url);
      const answer = new Promise<string>((resolve) => {
        socket.once('data', (chunk) => resolve(String(chunk)));
      });
      socket.write(
        requestText('POST /api/v2/buyer/echo', { 'Content-Type': JSON_TYPE, 'Content-Length': '5000' }),
      );

      expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    });

    test('is taken at the limit exactly, in one piece and in chunks', async () => {
      const exact = `{"word":"a"${' '.repeat(4_096 - 12)}}`;
      expect(Buffer.byteLength(exact)).toBe(4_096);

      expect((await send(exact)).status).toBe(200);
      expect((await chunked(exact.slice(0, 100), exact.slice(100))).status).toBe(200);
      expectRefused(await send(`${exact} `), /larger/);
    });
  });

  describe('that is too deep', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

    test('is refused at one level more than the limit, and taken at the limit', async () => {
      // The object of the body is the first of eight levels.
      expect((await send(`{"tree":${nested(7)}}`)).status).toBe(200);
      expectRefused(await send(`{"tree":${nested(8)}}`), /nested too deep/);
    });

    test('is refused however deep it is, without a stack to overflow', async () => {
      expectRefused(await send(`{"tree":${nested(2_000)}}`), /nested too deep/);
      expectRefused(await send(`${'{"tree":'.repeat(400)}1${'}'.repeat(400)}`), /nested too deep/);
    });
  });

  describe('that is no object', () => {
    test.each(['[]', '[{"word":"a"}]', '"word"', '1', 'true', 'null'])('is refused: %s', async (body) => {
      expectRefused(await send(body), /must be a JSON object/);
    });
  });

  describe('that reaches into JavaScript', () => {
    test.each(['__proto__', 'constructor', 'prototype'])('is refused: a key %s', async (key) => {
      expectRefused(await send(`{"${key}":{"polluted":true}}`), new RegExp(key));
      expectRefused(await send(`{"tree":[{"${key}":1}]}`), new RegExp(key));
      expect(Object.prototype).not.toHaveProperty('polluted');
    });

    test('is refused when the key is written in escapes', async () => {
      expectRefused(await send('{"__\\u0070roto__":{"polluted":true}}'), /__proto__/);
    });
  });

  describe('that holds many values', () => {
    const fields = (count: number) =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padStart(4, 'n'), 1])),
      );

    test.each([
      ['entries of a list', `{"tree":[${'1,'.repeat(2_011)}1]}`],
      ['lists in a list', `{"tree":[${'[],'.repeat(1_300)}[]]}`],
    ])('is refused, with what to do instead: %s', async (_what, body) => {
      const reply = await send(body);

      expectRefused(reply, /more than 2010 values/);
      expect(reply.body.error.details.suggestion).toMatch(/^Send 2010 values at the most/);
    });

    test('is held to its schema up to the bound', async () => {
      const reply = await send(fields(400));

      const at = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `${index}`.padStart(4, 'n'),
          /^Unknown field\. Known here: word, /,
        ]),
      );
      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at });
      expect(reply.body.error.message).toMatch(/380 more problems/);
    });

    test('may have as many commas and brackets in a text as it likes', async () => {
      const tree = `\\"${'[{,'.repeat(900)}`;

      expect((await send(JSON.stringify({ tree }))).body.data.given.tree).toBe(tree);
    });
  });

  describe('that no database can store', () => {
    test.each([
      ['a NUL in a text', '{"word":"a\\u0000b"}', /NUL/],
      ['a NUL in a key', '{"a\\u0000b":1}', /NUL/],
      ['a NUL deep inside', '{"tree":[{"x":["\\u0000"]}]}', /NUL/],
      ['the first half of a surrogate pair', '{"word":"\\ud83d"}', /surrogate/],
      ['the second half of a surrogate pair', '{"word":"\\ude00"}', /surrogate/],
      ['half a pair in a key', '{"\\ud83d":1}', /surrogate/],
    ])('is refused: %s', async (_what, body, message) => {
      expectRefused(await send(body), message);
    });

    test('is taken with both halves of a pair, escaped or not', async () => {
      expect((await send('{"word":"\\ud83d\\ude00"}')).body.data.given.word).toBe('😀');
      expect((await send('{"word":"😀"}')).body.data.given.word).toBe('😀');
    });
  });

  describe('that is well formed', () => {
    test('counts as an empty object when it is empty', async () => {
      expect((await send('')).body.data).toEqual({ given: {} });
      expect((await chunked()).body.data).toEqual({ given: {} });
    });

    test('is held to its schema: every wrong and every unknown field is named, with the nearest known one', async () => {
      const reply = await send('{"word":1,"cuont":2,"on":"yes","zzzzzzzzzzzz":null}');

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          word: 'Give a string.',
          on: 'Give true or false.',
          cuont: 'Unknown field. Did you mean count?',
          zzzzzzzzzzzz: /^Unknown field\. Known here: word, count, /,
        },
      });
    });

    test('names the field when there is one problem', async () => {
      expect((await send('{"word":1}')).body.error.field).toBe('word');
    });

    test('is one value a key: of a key that comes twice, the last one counts', async () => {
      expect((await send('{"word":"a","word":"b"}')).body.data.given).toEqual({ word: 'b' });
    });

    test('does not contradict the path', async () => {
      const put = (body: string) =>
        sendBytes(
          server.url,
          requestText(
            'PUT /api/v2/buyer/echo/a%20b',
            { 'Content-Type': JSON_TYPE, 'Content-Length': String(body.length) },
            body,
          ),
        );

      expect((await put('{"word":"a b","count":1}')).body.data.given).toEqual({ word: 'a b', count: 1 });
      expectRefusal(await put('{"word":"c"}'), 400, {
        code: 'VALIDATION_ERROR',
        at: { word: 'Says something else than the path, which has a b.' },
      });
    });

    test('does not contradict the query', async () => {
      const put = (query: string, body: string) =>
        sendBytes(
          server.url,
          requestText(
            `PUT /api/v2/buyer/echo/a?${query}`,
            { 'Content-Type': JSON_TYPE, 'Content-Length': String(body.length) },
            body,
          ),
        );

      expect((await put('count=1', '{"count":1}')).body.data.given).toEqual({ word: 'a', count: 1 });
      expectRefusal(await put('count=2', '{"count":1}'), 400, {
        code: 'VALIDATION_ERROR',
        at: { count: 'Says something else in the body than in the query. Give it in one of them.' },
      });
    });
  });
});
