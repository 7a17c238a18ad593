import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { withoutSecrets } from '../tools/core/redaction.ts';

const build = new URL('../dist/adapters/', import.meta.url);

const line = {
  requestId: 'of a request',
  method: 'GET',
  target: 'GET /x',
  status: 200,
  ms: 1.5,
  ip: '192.0.2.7',
};

interface Scene {
  readonly level?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What the process does last. */
  readonly end?: string;
  /** What the line of the request says beside, or instead of, the usual. */
  readonly asked?: object;
}

/** What a process of its own writes on standard output when it logs this. */
function logged(
  fields: object,
  { level = 'info', settings = {}, end = 'log.flush();', asked = {} }: Scene = {},
): string {
  const script = `
    import { readConfig } from ${JSON.stringify(new URL('settings/config.js', build).href)};
    import { createLog } from ${JSON.stringify(new URL('process/logging.js', build).href)};
    const log = await createLog(readConfig(${JSON.stringify({ LOG_LEVEL: level, ...settings })}), 'lines');
    log.info(${JSON.stringify(fields)}, 'event');
    log.request(${JSON.stringify({ ...line, ...asked })});
    log.error({ err: new Error('broken') }, 'call failed');
    ${end}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(build),
    encoding: 'utf8',
  });
  return stdout;
}

const secrets = {
  authorization: 'Bearer hunter2',
  Authorization: 'Bearer hunter2',
  'proxy-authorization': 'hunter2',
  cookie: 'session=hunter2',
  'set-cookie': 'session=hunter2',
  'x-rialto-api-key': 'hunter2',
  key: 'hunter2',
  apiKey: 'hunter2',
  api_key: 'hunter2',
  token: 'hunter2',
  accessToken: 'hunter2',
  refresh_token: 'hunter2',
  secret: 'hunter2',
  clientSecret: 'hunter2',
  accessClientSecret: 'hunter2',
  password: 'hunter2',
  auth: { kind: 'bearer', value: 'hunter2' },
  credentials: ['hunter2'],
  privateKey: 'hunter2',
};

describe('the log', () => {
  test('is one line of JSON for each event, with its request id', () => {
    const lines = logged({ requestId: 'r-1', status: 200 }).trim().split('\n');
    const [event, request, failure, ...others] = lines.map((text) => JSON.parse(text));

    expect(event).toMatchObject({ requestId: 'r-1', status: 200, msg: 'event' });
    expect(request).toEqual({ level: event.level, time: expect.any(Number), ...line, msg: 'request' });
    expect(failure).toMatchObject({ err: { message: 'broken' }, msg: 'call failed' });
    expect(others).toEqual([]);
  });

  test('says who asked, and stays one line whatever stands in it', () => {
    const asked = { organizationId: 7, principal: 'api_key:key_1', target: 'GET /"\\\n{é}' };

    const [, request = ''] = logged({}, { asked }).split('\n');

    expect(JSON.parse(request)).toMatchObject({ ...line, ...asked });
  });

  test.each([
    ['an exit', 'process.exit(1);'],
    ['an error that nobody caught', "throw new Error('The end.');"],
  ])('is whole at the end, even when the end is %s', (_what, end) => {
    const lines = logged({ requestId: 'r-1' }, { end }).trim().split('\n');

    expect(lines.map((text) => JSON.parse(text).msg)).toEqual(['event', 'request', 'call failed']);
  });

  test('says nothing below its level', () => {
    const text = logged({ requestId: 'r-1' }, { level: 'error' });

    expect(text).not.toContain('r-1');
    expect(text).not.toContain(line.requestId);
    expect(text).toContain('call failed');
  });

  test('holds no authorization, key, token or secret, however deep it stands', () => {
    const text = logged({ ...secrets, inner: { list: [{ headers: secrets }] }, requestId: 'r-1' });

    expect(text).not.toContain('hunter2');
    expect(text).toContain('r-1');
  });

  test.each(Object.keys(secrets))('hides the field %s and keeps those beside it', (name) => {
    expect(withoutSecrets({ [name]: 'hunter2', name: 'kept' })).toEqual({ [name]: '[secret]', name: 'kept' });
  });

  test('says of an error what it is and where it came about, and not what others answered that hangs on it', () => {
    const end = `
      const far = 'x'.repeat(1_000_000);
      const cause = { error: 'invalid_grant', error_description: far, id_token: 'hunter2', assertion: 'hunter2' };
      const failed = new TypeError('unexpected answer', { cause: new Error('far away') });
      const body = { status: 400, code: 'BODY', error: 'invalid_grant', error_description: far, clientSecret: 'hunter2' };
      log.error({ err: Object.assign(failed, body, { response: { cause } }) }, 'provider failed');
      log.error({ deep: { list: [Object.assign(new Error(far), { cause })] } }, 'deep');
      log.flush();`;
    const [provider = '', deep = ''] = logged({}, { end }).trim().split('\n').slice(-2);
    const { err } = JSON.parse(provider);

    expect(err).toMatchObject({ type: 'TypeError', status: 400, code: 'BODY', error: 'invalid_grant' });
    expect(err.message).toBe('unexpected answer: far away');
    expect(err.stack).toMatch(
      /^TypeError: unexpected answer\n {4}at .+\ncaused by: Error: far away\n {4}at /s,
    );
    expect(provider + deep).not.toContain('hunter2');
    expect([provider.length, deep.length].every((length) => length < 10_000)).toBe(true);
    expect(JSON.parse(deep).deep.list[0].stack).toMatch(/^Error: x+…\n {4}at /);
  });

  test('names the address of the caller, unless it shall not', () => {
    const requestOf = (text: string) => JSON.parse(text.split('\n')[1] ?? '');

    expect(requestOf(logged({}))).toHaveProperty('ip', line.ip);
    expect(requestOf(logged({}, { settings: { LOG_CLIENT_ADDRESS: 'off' } }))).not.toHaveProperty('ip');
  });

  test.each(['tokens', 'keyword', 'monkey', 'secretary', 'author', 'requestId', 'idempotency_key_count'])(
    'keeps a field that only sounds like one: %s',
    (name) => {
      expect(withoutSecrets({ [name]: 'kept' })).toEqual({ [name]: 'kept' });
    },
  );
});
