import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientFor } from '../support/callers/client.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { echoTools } from '../support/server/echo-tool.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the query of a GET', () => {
  let server: TestServer;
  let anybody: Client;
  beforeAll(async () => {
    server = await startTestServer({ tools: echoTools });
    anybody = clientFor(server.url);
  });
  afterAll(() => server.stop());

  const given = async (query: string) => (await anybody.get(`/buyer/echo?${query}`)).body.data.given;

  test.each([
    ['count=5', { count: 5 }],
    ['count=-5', { count: -5 }],
    ['price=1.50', { price: 1.5 }],
    ['on=true', { on: true }],
    ['on=TRUE', { on: true }],
    ['count=%201', { count: 1 }],
    ['on=false', { on: false }],
    ['word=5', { word: '5' }],
    ['word=true', { word: 'true' }],
    ['word=a%20b', { word: 'a b' }],
    ['word=a+b', { word: 'a b' }],
    ['word=%F0%9F%98%80', { word: '😀' }],
    ['word=', { word: '' }],
    ['', {}],
  ])('is read by the types of the schema: %s', async (query, expected) => {
    expect(await given(query)).toEqual(expected);
  });

  test.each([
    ['words=a,b', { words: ['a', 'b'] }],
    ['words=a&words=b', { words: ['a', 'b'] }],
    ['words=a&words=b,c', { words: ['a', 'b', 'c'] }],
    ['words=a', { words: ['a'] }],
    ['words=', { words: [] }],
    ['counts=1,2', { counts: [1, 2] }],
    ['counts=1&counts=2', { counts: [1, 2] }],
  ])('may hold a list, with commas or repeated: %s', async (query, expected) => {
    expect(await given(query)).toEqual(expected);
  });

  test.each([
    ['count=five', 'count', 'Give a number.'],
    ['count=1e3', 'count', 'Give a number.'],
    ['count=0x10', 'count', 'Give a number.'],
    ['count=1.5', 'count', 'Give a whole number.'],
    ['count=', 'count', 'Give a number.'],
    ['count=1001', 'count', '1000 at the most.'],
    ['on=yes', 'on', 'Give true or false.'],
    ['on=1', 'on', 'Give true or false.'],
    ['counts=1,two', 'counts.1', 'Give a number.'],
    ['count=1&count=2', 'count', 'Give a number.'],
    ['word=a&word=b', 'word', 'Give a string.'],
    ['on=true&on=false', 'on', 'Give true or false.'],
    [`word=${'x'.repeat(101)}`, 'word', '100 characters at the most.'],
  ])('is refused where it does not read as its type: %s', async (query, path, words) => {
    const reply = await anybody.get(`/buyer/echo?${query}`);

    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [path]: words } });
  });

  const KNOWN = 'Unknown field. Known here: word, count, price, on, words, counts, tree.';
  test.each([
    ['wrod=a', 'wrod', 'Unknown field. Did you mean word?'],
    ['WORD=a', 'WORD', 'Unknown field. Did you mean word?'],
    ['COUNT=1', 'COUNT', 'Unknown field. Did you mean count?'],
    ['utterly_unknown_thing=1', 'utterly_unknown_thing', KNOWN],
    ['word[a]=b', 'word[a]', 'Unknown field. Did you mean word?'],
    ['=a', '', KNOWN],
    ['x=a', 'x', KNOWN],
  ])('is refused when it has an unknown parameter: %s', async (query, path, words) => {
    const reply = await anybody.get(`/buyer/echo?${query}`);

    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [path]: words } });
  });

  test('complains of everything at once', async () => {
    const { body } = await anybody.get('/buyer/echo?count=x&on=y&cuont=1');

    const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['count', 'cuont', 'on']);
  });

  test.each([
    ['word=a%00b', 'A text holds a NUL character.'],
    ['a%00b=1', 'A text holds a NUL character.'],
    ['__proto__=1', 'The key __proto__ is not allowed.'],
    ['constructor=1', 'The key constructor is not allowed.'],
    ['words=a,%00', 'A text holds a NUL character.'],
  ])('is refused when it holds what no field can hold: %s', async (query, message) => {
    const reply = await anybody.get(`/buyer/echo?${query}`);

    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: message });
    // What to do next is about what was wrong.
    expect(reply.body.error.details.suggestion).toMatch(/./);
    expect(reply.body.error.details.suggestion).not.toContain('application/json');
  });

  test.each(['word=%', 'word=%zz', 'word=caf%E9', 'word=%ED%A0%80', 'w%FFrd=a', 'words=a,%E2%82'])(
    'is refused when an escape in it is none, or no UTF-8: %s',
    async (query) => {
      const reply = await anybody.get(`/buyer/echo?${query}`);

      expectEnvelope(reply);
      expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: 'The query holds a broken % escape.' });
      expect(reply.text).toContain('%25');
    },
  );

  test('counts beside the body of a POST, and may not contradict it', async () => {
    const { body } = await anybody.post('/buyer/echo?count=5&word=same', { word: 'same' });
    const other = await anybody.post('/buyer/echo?count=5&word=query', { word: 'body' });

    expect(body.data.given).toEqual({ count: 5, word: 'same' });
    expect([other.status, other.body.error.field]).toEqual([400, 'word']);
  });
});
