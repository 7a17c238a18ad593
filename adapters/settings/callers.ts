import { cidrs, count, origins, requests, setting } from './setting.ts';

/** Who may call, how often and with how much. */
export const callersSettings = {
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
  streamsAtOnce: setting('STREAMS_AT_ONCE', count(1_000), 'Event streams of one process open at a time.'),
  streamsPerAccount: setting(
    'STREAMS_PER_ACCOUNT',
    count(100),
    'Event streams of one process that one account has open at a time, over REST and MCP together.',
  ),
  mcpSessionsPerCredential: setting(
    'MCP_SESSIONS_PER_CREDENTIAL',
    count(1_000),
    'MCP sessions one credential has open at a time. One that is not used for a day is over.',
  ),
  mcpSessionsPerOrganization: setting(
    'MCP_SESSIONS_PER_ORGANIZATION',
    count(5_000),
    'MCP sessions one organization has open at a time, of all its credentials.',
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
};
