import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingsTable } from '../adapters/docs/markdown.ts';
import { ConfigError, readConfig, settings, variableOf } from '../adapters/settings/config.ts';
import { askedForMs, doubtsIn } from '../adapters/settings/doubts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const KEY = Buffer.alloc(32, 1).toString('base64');

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** One value for each setting that it cannot be. */
const bad: Readonly<Record<string, string>> = {
  OVERLOAD_DELAY_MS: '-1',
  OVERLOAD_AFTER_MS: '-1',
  OVERLOAD_CALLS_MIN: '0',
  NODE_ENV: 'prod',
  PORT: '70000',
  METRICS_PORT: '70000',
  OPERATOR_TOKEN: 'short',
  PUBLIC_URL: 'ftp://example.com',
  AGENT_URL: 'ftp://agents.example',
  ACCESS_TOKEN_SECONDS: '59',
  REFRESH_TOKEN_SECONDS: '1',
  AUTHORIZATION_CODE_SECONDS: '0',
  MACHINE_TOKEN_SECONDS: '59',
  OAUTH_LOOPBACK_ANY_PORT: 'maybe',
  RATE_LIMIT_AUTH: '0',
  RATE_LIMIT_REGISTRATION: '0',
  BRAND: 'Big Brand',
  DATABASE_URL: 'mysql://user:hunter2@host/db',
  DATABASE_CONNECTIONS: '0',
  DATABASE_NAMED_STATEMENTS: 'maybe',
  DATABASE_WAIT_MS: '0',
  DATABASE_ASIDE_BYTES: '-1',
  DATABASE_LISTS_WAITING: '0',
  DATABASE_LISTS_WAITING_PER_ORGANIZATION: '1',
  ALLOWED_HOSTS: 'https://app.example/path',
  PASSWORD_COST: '13',
  PASSWORDS_AT_ONCE: '4',
  SIGN_IN_FAILURES_PER_IP: '0',
  SIGN_IN_FAILURES_PER_EMAIL: '0',
  MAILS_PER_EMAIL: '0',
  INVITATIONS_PER_EMAIL: '0',
  INVITATIONS_PER_DAY: '0',
  MAILS_PER_IP: '0',
  MAIL_URL: 'https://smtp.example',
  MAIL_FROM: 'x',
  OIDC_ISSUER: 'ftp://login.example',
  OIDC_NAME: 'x'.repeat(61),
  OIDC_ALLOWED_DOMAINS: 'https://acme.example',
  OIDC_ALLOWED_CIDRS: '10.0.0.0',
  STREAMS_AT_ONCE: '0',
  STREAMS_PER_ACCOUNT: '0',
  MCP_CONFIRM_SPEND: 'maybe',
  MCP_ANSWER_TIMEOUT_MS: '0',
  SESSION_IDLE_MS: '0',
  SESSION_MS: '0',
  ORDER_TAKEOVERS_MAX: '-1',
  MEDIA_BUY_END_GRACE_HOURS: '8761',
  TAKEOVER_AFTER_MS: '999',
  STREAMS_PER_OBJECT: '0',
  WEBHOOK_SUBSCRIPTIONS_PER_ACCOUNT: '0',
  ADVERTISERS_PER_ACCOUNT: '0',
  BRANDS_PER_ORGANIZATION: '0',
  JOIN_LINKS_PER_ACCOUNT: '0',
  DOMAINS_PER_ORGANIZATION: '0',
  SERVICE_TOKENS_PER_ORGANIZATION: '0',
  ACCOUNTS_PER_ORGANIZATION: '0',
  PROPOSALS_PER_STOREFRONT: '0',
  PROPOSAL_BYTES: '0',
  API_KEYS_PER_ORGANIZATION: '0',
  APPLICATIONS_PER_ORGANIZATION: '0',
  SECRETS_PER_APPLICATION: '1',
  BROWSER_ORIGINS_PER_ORGANIZATION: '0',
  MCP_SESSIONS_PER_CREDENTIAL: '0',
  MCP_SESSIONS_PER_ORGANIZATION: '0',
  MCP_SESSIONS_LIVE: '1',
  SOURCES_PER_STOREFRONT: '0',
  PRODUCTS_PER_STOREFRONT: '0',
  DISCOVERY_SESSIONS_OPEN: '0',
  DISCOVERY_SESSIONS_STORED: '0',
  DISCOVERY_PRODUCTS_PER_SESSION: '0',
  DISCOVERY_BYTES_PER_SESSION: '0',
  DISCOVERY_BYTES_PER_SELLER: '0',
  DISCOVERY_BYTES_PER_ACCOUNT: '0',
  DISCOVERY_CHOICES_PER_SESSION: '0',
  DISCOVERY_RETENTION_DAYS: '-1',
  AUDIT_RETENTION_DAYS: '-1',
  EVENT_RETENTION_DAYS: '0',
  ENDED_ACCESS_RETENTION_DAYS: '0',
  PREVIEW_RETENTION_DAYS: '0',
  PROPOSAL_CODE_TRIES_PER_HOUR: '0',
  PROPOSAL_RETENTION_DAYS: '0',
  IDEMPOTENCY_KEYS_PER_ACCOUNT: '0',
  IDEMPOTENCY_RETENTION_HOURS: '0',
  IDEMPOTENCY_ANSWER_BYTES: '0',
  IDEMPOTENCY_BYTES_PER_ACCOUNT: '0',
  VERSIONS_PER_MEDIA_BUY: '1',
  SELLER_VERSIONS_PER_MEDIA_BUY: '0',
  SPEND_APPROVAL_DAYS: '0',
  SPEND_APPROVAL_RETENTION_DAYS: '0',
  SECRETS_KEY: 'c2hvcnQtYnV0LXNlY3JldA==',
  SECRETS_KEY_PREVIOUS: 'c2hvcnQtYnV0LXNlY3JldA==',
  TERMS_VERSION: ' ',
  LOG_LEVEL: 'loud',
  LOG_CLIENT_ADDRESS: 'maybe',
  RATE_LIMIT_PER_IP: 'many',
  RATE_LIMIT_IPV6_PREFIX: '129',
  SIGNUPS_PER_HOUR: '0',
  RATE_LIMIT_BASIC: '0',
  RATE_LIMIT_STANDARD: '-1',
  RATE_LIMIT_PREMIUM: '1.5',
  TRUSTED_PROXIES: '10.0.0.0/33',
  ALLOWED_ORIGINS: 'https://app.example/path',
  HEADERS_MAX: '3',
  PIPELINED_MAX: '0',
  READER_TIMEOUT_MS: '5',
  READER_BYTES_PER_SECOND: '0',
  BODY_MAX_BYTES: '1',
  BODY_MAX_DEPTH: '1',
  BODY_MAX_VALUES: '1',
  SELLER_CONNECT_TIMEOUT_MS: 'soon',
  SELLER_TIMEOUT_MS: '0',
  SELLER_RESPONSE_MAX_BYTES: '1',
  SELLERS_AT_ONCE: '0',
  SELLERS_SILENT_AT_ONCE: '1',
  SELLER_ANSWERS_WAITING: '0',
  PASSWORDS_WAITING: '0',
  ACCOUNT_LINKS_PER_ADVERTISER: '0',
  DISCOVERY_TIMEOUT_MS: '0',
  WEBHOOK_TIMEOUT_MS: '0',
  STATUS_POLL_MS: '-1',
  WEBHOOKS_AT_ONCE: '0',
  WEBHOOKS_PER_ACCOUNT: '0',
  WEBHOOKS_TROUBLED_SHARE: '101',
  WEBHOOKS_TROUBLED_KEPT: '0',
  WEBHOOK_SLOW_MS: '0',
  WEBHOOK_ALLOWED_CIDRS: '10.0.0.0',
  SELLER_ALLOWED_CIDRS: 'fd00::/129',
  SELLER_ALLOWED_ORGANIZATIONS: '0',
  SELLER_PRODUCTS_MAX: '0',
  SELLER_CONNECTIONS_MAX: '0',
  SELLER_CONNECTION_IDLE_MS: '0',
  PROCESS_LEASE_MS: '0',
  SHUTDOWN_GRACE_MS: '1',
  AGENT_REGISTRATION: 'everybody',
  AGENT_ANONYMOUS_PER_IP: '0',
  AGENT_ANONYMOUS_IN_ALL: '0',
  AGENT_REQUESTS_PER_IP: '0',
  AGENT_REQUESTS_IN_ALL: '0',
  AGENT_REGISTRATION_SECONDS: '59',
  AGENT_CLAIM_SECONDS: '29',
  AGENT_ASSERTION_SECONDS: '86401',
  AGENT_TOKEN_SECONDS: '3601',
  AGENT_REFRESH_SECONDS: '0',
  SERVICE_TOKEN_MS: '0',
  SERVICE_TOKEN_MAX_MS: '0',
  WIDGET_TOKEN_MS: '0',
  WIDGET_ALLOWED_ORIGINS: 'https://console.acme.example/keys',
  CREDENTIAL_PROVIDER_URL: 'keys.acme.example',
  CREDENTIAL_PROVIDER_SECRET: 'short',
  CREDENTIAL_PROVIDER_TIMEOUT_MS: '0',
  CREDENTIAL_PROVIDER_CACHE_MS: '-1',
  LEGACY_KEYS_RETIRE_AT: 'next year',
};

/** Settings that take any text. */
const free = new Set(['HOST', 'OUTBOUND_CA_FILE', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']);

/** Settings whose form their words describe: addresses, lists, keys, a moment and what `free` has. */
const UNBOUNDED = new Set([
  ...free,
  ...['PUBLIC_URL', 'AGENT_URL', 'BRAND', 'DATABASE_URL', 'SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'],
  ...['TRUSTED_PROXIES', 'ALLOWED_HOSTS', 'ALLOWED_ORIGINS', 'WIDGET_ALLOWED_ORIGINS'],
  ...['WEBHOOK_ALLOWED_CIDRS', 'SELLER_ALLOWED_CIDRS', 'SELLER_ALLOWED_ORGANIZATIONS'],
  ...['MAIL_URL', 'OIDC_ISSUER', 'OIDC_ALLOWED_DOMAINS', 'OIDC_ALLOWED_CIDRS'],
  ...['CREDENTIAL_PROVIDER_URL', 'LEGACY_KEYS_RETIRE_AT'],
]);

/** Each setting of the table, and what it takes. */
function rowsOf(written: string): [string, string][] {
  return [...written.matchAll(/^\| `([A-Z0-9_]+)` \| [^|]*\| ([^|]*?) *\|/gm)].map(([, name, takes]) => [
    name ?? '',
    takes ?? '',
  ]);
}

const variables = Object.entries(settings.shape).map(([name, schema]) => variableOf(name, schema));

describe('the settings', () => {
  test('have the defaults that the limits promise', () => {
    expect(readConfig({})).toMatchObject({
      port: 4_000,
      brand: 'rialto',
      databaseUrl: 'file:./data/rialto.db',
      ipRequestsPerMinute: 600,
      basicRequestsPerMinute: 300,
      standardRequestsPerMinute: 1_200,
      premiumRequestsPerMinute: 6_000,
      bodyMaxBytes: 1_048_576,
      bodyMaxDepth: 64,
      bodyMaxValues: 10_000,
      sellerConnectTimeoutMs: 5_000,
      sellerTimeoutMs: 30_000,
      sellersAtOnce: 32,
      discoveryTimeoutMs: 120_000,
      webhookTimeoutMs: 15_000,
      agentRegistration: ['anonymous', 'service_auth'],
      agentAnonymousPerIp: 5,
      agentAnonymousInAll: 100,
      agentRequestsPerIp: 60,
      agentRequestsInAll: 1_000,
      agentTokenSeconds: 900,
    });
  });

  test('let a stop wait for longer than a seller may take, and contradict each other in nothing', () => {
    const config = readConfig({});

    expect(askedForMs(config)).toBeGreaterThan(config.sellerTimeoutMs);
    expect(doubtsIn(config)).toEqual([]);
  });

  test.each([
    ['a stop that is shorter than a call to a seller', { SHUTDOWN_GRACE_MS: '30000' }, 'SHUTDOWN_GRACE_MS'],
    ['a call to a seller that is longer than a stop', { SELLER_TIMEOUT_MS: '38000' }, 'SELLER_TIMEOUT_MS'],
    ['a webhook that may take longer than a stop', { WEBHOOK_TIMEOUT_MS: '60000' }, 'WEBHOOK_TIMEOUT_MS'],
    ['more streams for one than there are', { STREAMS_AT_ONCE: '50' }, 'STREAMS_PER_ACCOUNT'],
    [
      'more bytes for a seller than a session has',
      { DISCOVERY_BYTES_PER_SESSION: '65536' },
      'DISCOVERY_BYTES_PER_SELLER',
    ],
    ['sellers that outlast their session', { DISCOVERY_TIMEOUT_MS: '20000' }, 'SELLER_TIMEOUT_MS'],
  ])('tell of %s, and what to set', (_what, given, named) => {
    const doubts = doubtsIn(readConfig(given));

    expect(doubts).toHaveLength(1);
    for (const { said, remedy } of doubts) {
      for (const words of [said, remedy]) expect(words).toContain(named);
      expect(remedy).toMatch(/^Set [A-Z_]+ to \d+ or more, or [A-Z_]+ lower/);
    }
  });

  test.each(variables.filter((name) => !free.has(name)))('name a value that cannot be used: %s', (name) => {
    const value = bad[name];
    expect(value, `A bad value for ${name} is missing in this test.`).toBeDefined();

    const problems = problemsOf({ [name]: value ?? '' });

    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) {
      expect(problem).toMatch(new RegExp(`^${name}: .{5,}`));
      // Words of the library say what it expected, and not what to give.
      expect(problem).not.toMatch(/invalid|too (?:small|big)|expected/i);
    }
  });

  test('name everything that is wrong at once', () => {
    const named = new Set(problemsOf(bad).map((problem) => problem.split(':')[0]));

    expect([...named].sort()).toEqual(Object.keys(bad).sort());
  });

  test('give the service and its operator a port each', () => {
    expect(problemsOf({ PORT: '4100', METRICS_PORT: '4100' })).toEqual([
      'METRICS_PORT: PORT is 4100 too. Give each a port of its own.',
    ]);
    expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
  });

  test('name what production demands beside what is wrong', () => {
    const problems = problemsOf({ NODE_ENV: 'production', PORT: 'x' });

    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual(['PORT', 'SECRETS_KEY']);
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([expect.stringMatching(/^SECRETS_KEY: required/)]);
    expect(problemsOf({ NODE_ENV: 'production', SECRETS_KEY: KEY })).toEqual([]);
  });

  test('never say a value that may be secret', () => {
    const text = problemsOf(bad).join('\n');

    expect(text).not.toContain('c2hvcnQ');
    expect(text).not.toContain('hunter2');
  });

  test('take an empty variable as absent', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '', SECRETS_KEY: '' })).toEqual(readConfig({}));
  });

  test('read lists with blanks and empty entries', () => {
    const { trustedProxies, allowedOrigins } = readConfig({
      TRUSTED_PROXIES: ' 10.0.0.0/8 , fd00::/8,',
      ALLOWED_ORIGINS: 'https://a.example,https://b.example:8443',
    });

    expect(trustedProxies).toEqual(['10.0.0.0/8', 'fd00::/8']);
    expect(allowedOrigins).toEqual(['https://a.example', 'https://b.example:8443']);
  });

  test('cannot be changed once they are read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  test('stand in docs/settings.md, each with its default and a sentence', () => {
    const written = readFileSync(join(root, 'docs', 'settings.md'), 'utf8');

    expect(written).toBe(settingsTable());
    for (const name of variables) {
      expect(written).toMatch(new RegExp(`^\\| \`${name}\` \\|.*\\| [^|]{10,} \\|$`, 'm'));
    }
    expect(written).toMatch(/^\| `RATE_LIMIT_BASIC` \| `300` \|/m);
  });

  test('say how small and how large each may be, and take that and nothing beyond', () => {
    expect(rowsOf(settingsTable())).toContainEqual(['OPERATOR_TOKEN', '32 or more characters']);
    const bounded = rowsOf(settingsTable()).flatMap(([name, takes]) => {
      const [, least, most, characters] = /^(\d+) (?:to (\d+)|or more)( characters)?$/.exec(takes) ?? [];
      if (least === undefined) return [];
      const givenOf = (size: number) => (characters ? `x${'@'.repeat(size)}`.slice(0, size) : String(size));
      const [from, to] = [Number(least), Number(most ?? least)];
      const beyond = [from - 1, ...(most === undefined ? [] : [to + 1])];
      return [{ name, within: [from, to].map(givenOf), beyond: beyond.map(givenOf).filter(Boolean) }];
    });

    expect(bounded.length).toBeGreaterThan(100);
    for (const { name, within, beyond } of bounded) {
      const ofIt = (value: string) =>
        problemsOf({ [name]: value }).filter((one) => one.startsWith(`${name}:`));
      expect([name, within.flatMap(ofIt)]).toEqual([name, []]);
      expect([name, beyond.filter((value) => ofIt(value).length === 0)]).toEqual([name, []]);
    }
  });

  test('that are bounded by the schema say so in the table', () => {
    const silent = rowsOf(settingsTable()).filter(([name, takes]) => takes === '' && !UNBOUNDED.has(name));
    expect(silent).toEqual([]);
  });
});

describe('the process', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rialto-settings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (env: Record<string, string>) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [join(root, 'dist', 'bundle', 'main.js')],
        { cwd: folder, env: { DATABASE_URL: `file:${join(folder, 'x.db')}`, PORT: '0', ...env } },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  test('does not start with bad settings: it names all of them, shows no value of a secret, and ends with 1', async () => {
    const { code, stdout, stderr } = await start({
      PORT: 'x',
      SECRETS_KEY: 'hunter2',
      DATABASE_URL: 'mysql://u:hunter2@host/db',
    });

    expect(code).toBe(1);
    expect(stdout).toBe('');
    for (const name of ['PORT', 'SECRETS_KEY', 'DATABASE_URL']) expect(stderr).toContain(`${name}: `);
    expect(stderr).not.toContain('hunter2');
    expect(stderr).not.toMatch(/\bat .+:\d+:\d+/);
  });

  test('does not start when a file that a setting names is not there, and names the setting', async () => {
    const { code, stderr } = await start({ OUTBOUND_CA_FILE: join(folder, 'absent.pem') });

    expect(code).toBe(1);
    expect(stderr).toContain('OUTBOUND_CA_FILE: ');
  });
});
