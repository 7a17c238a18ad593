import { isIP } from 'node:net';
import { z } from 'zod';

/** One setting: the variable that holds it, what it may be, what it means. */
function setting<T extends z.ZodType>(env: string, schema: T, description: string): T {
  return schema.meta({ env, description });
}

const count = (byDefault: number, min = 1, max = 1_000_000) =>
  z.coerce.number().int().min(min).max(max).default(byDefault);

const requests = (byDefault: number) => count(byDefault, 1, 1_000_000_000);

const cidrs = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine(
    (list) => list.every(isCidr),
    'Give CIDR ranges separated by commas, such as 127.0.0.0/8,fd00::/8.',
  );

function isCidr(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  const version = isIP(address);
  return version !== 0 && /^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

const origins = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    'Give origins separated by commas, such as https://app.example.',
  );

/** Every setting of the service. The table in docs/settings.md is made from this list. */
export const settings = z.object({
  environment: setting(
    'NODE_ENV',
    z.enum(['development', 'test', 'production']).default('development'),
    'production demands SECRETS_KEY and counts loopback callers against the limit per IP.',
  ),
  host: setting('HOST', z.string().min(1).default('127.0.0.1'), 'Address to listen on.'),
  port: setting('PORT', z.coerce.number().int().min(0).max(65_535).default(4000), 'Port to listen on.'),
  publicUrl: setting(
    'PUBLIC_URL',
    z.url({ protocol: /^https?$/ }).optional(),
    'Address under which callers reach the service. Default: http://HOST:PORT.',
  ),
  brand: setting(
    'BRAND',
    z
      .string()
      .regex(/^[a-z][a-z0-9]{1,19}$/, 'Give 2 to 20 lowercase letters and digits.')
      .default('rialto'),
    'Name of this installation: the prefix of its keys and the title of its pages.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    z
      .string()
      .regex(/^(file:|postgres(ql)?:\/\/)/, 'Start with file: or postgres://.')
      .default('file:./data/rialto.db'),
    'file:path for SQLite, postgres://… for PostgreSQL.',
  ),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    count(10, 1, 500),
    'PostgreSQL connections of one process.',
  ),
  databaseNamedStatements: setting(
    'DATABASE_NAMED_STATEMENTS',
    z.enum(['on', 'off']).default('on'),
    'Turn off behind a pooler that gives each transaction another connection.',
  ),
  secretsKey: setting(
    'SECRETS_KEY',
    z
      .base64()
      .refine((text) => Buffer.from(text, 'base64').length === 32, 'Give 32 bytes in base64.')
      .optional(),
    'Key that encrypts stored credentials: 32 bytes in base64. Default: made once, in data/secrets.key; required in production.',
  ),
  termsVersion: setting(
    'TERMS_VERSION',
    z.string().min(1).max(64).default('1'),
    'Version of the terms of service that every organization must have accepted before it changes anything.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    'How much to log. One line a request is info.',
  ),
  ipRequestsPerMinute: setting('RATE_LIMIT_PER_IP', requests(600), 'Requests a minute of one IP address.'),
  basicRequestsPerMinute: setting(
    'RATE_LIMIT_BASIC',
    requests(300),
    'Requests a minute of an account, tier basic.',
  ),
  standardRequestsPerMinute: setting(
    'RATE_LIMIT_STANDARD',
    requests(1_200),
    'Requests a minute of an account, tier standard.',
  ),
  premiumRequestsPerMinute: setting(
    'RATE_LIMIT_PREMIUM',
    requests(6_000),
    'Requests a minute of an account, tier premium.',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    cidrs,
    'Proxies whose X-Forwarded-For is believed, as CIDR ranges. Default: none.',
  ),
  allowedOrigins: setting(
    'ALLOWED_ORIGINS',
    origins,
    'Origins of browser pages that may call the service. Default: its own.',
  ),
  bodyMaxBytes: setting(
    'BODY_MAX_BYTES',
    count(1_048_576, 1_024, 104_857_600),
    'Largest JSON body, in bytes.',
  ),
  bodyMaxDepth: setting('BODY_MAX_DEPTH', count(64, 4, 1_000), 'Deepest nesting of a JSON body.'),
  sellerConnectTimeoutMs: setting(
    'SELLER_CONNECT_TIMEOUT_MS',
    count(5_000),
    'Milliseconds for connecting to a seller.',
  ),
  sellerTimeoutMs: setting(
    'SELLER_TIMEOUT_MS',
    count(30_000),
    'Milliseconds for one call to a seller, in all.',
  ),
  sellerResponseMaxBytes: setting(
    'SELLER_RESPONSE_MAX_BYTES',
    count(4_194_304, 1_024, 104_857_600),
    'Largest answer taken from a seller, in bytes.',
  ),
  sellersAtOnce: setting(
    'SELLERS_AT_ONCE',
    count(32, 1, 1_000),
    'Sellers one discovery session asks at a time.',
  ),
  discoveryTimeoutMs: setting(
    'DISCOVERY_TIMEOUT_MS',
    count(120_000),
    'Milliseconds one discovery session collects.',
  ),
  webhookTimeoutMs: setting(
    'WEBHOOK_TIMEOUT_MS',
    count(15_000),
    'Milliseconds for one webhook attempt, in all.',
  ),
  webhooksAtOnce: setting('WEBHOOKS_AT_ONCE', count(100, 1, 10_000), 'Webhook attempts under way at a time.'),
  webhookAllowedCidrs: setting(
    'WEBHOOK_ALLOWED_CIDRS',
    cidrs,
    'Private ranges that webhooks may reach all the same. Default: none.',
  ),
  sellerAllowedCidrs: setting(
    'SELLER_ALLOWED_CIDRS',
    cidrs,
    'Private ranges that sellers may live in; http is allowed there. Default: none.',
  ),
  outboundCaFile: setting(
    'OUTBOUND_CA_FILE',
    z.string().min(1).optional(),
    'PEM file with further certificate authorities for webhooks and sellers.',
  ),
  processLeaseMs: setting(
    'PROCESS_LEASE_MS',
    count(15_000, 300),
    'Milliseconds after which a process that was not seen is taken for dead, and its work taken over.',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    count(25_000, 100),
    'Milliseconds a stop waits for work under way.',
  ),
});

export type Config = Readonly<z.output<typeof settings>>;

/** The variable that holds a setting. */
export function variableOf(name: string, schema: z.ZodType): string {
  const env = schema.meta()?.['env'];
  return typeof env === 'string' ? env : name;
}

/** Settings that stop the start, each with its name. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, options);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the settings from variables, all problems at once. An empty variable counts as absent. */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(settings.shape).map(([name, schema]) => [
      name,
      variables[variableOf(name, schema)] || undefined,
    ]),
  );
  const result = settings.safeParse(given);
  const problems = [...(result.error?.issues ?? []).map(problemOf), ...missing(given)];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(result.data);
}

function missing(given: Readonly<Record<string, string | undefined>>): string[] {
  if (given['environment'] !== 'production' || given['secretsKey'] !== undefined) return [];
  return ['SECRETS_KEY: required in production. Make one: openssl rand -base64 32'];
}

function problemOf(issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]);
  const setting = Object.entries(settings.shape).find(([key]) => key === name);
  const message =
    issue.code === 'invalid_type' && issue.expected === 'number' ? 'Give a number.' : issue.message;
  return `${setting === undefined ? name : variableOf(name, setting[1])}: ${message}`;
}

/** The address callers use, without a slash at its end. */
export function publicUrlOf(config: Config, port: number = config.port): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return (config.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '');
}
