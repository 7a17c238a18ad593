import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../../tools/core/moments.ts';
import { cidrs, count, hosts, origins, requests, setting } from './setting.ts';

/** Who may call, how often and with how much. */
export const callersSettings = {
  ipRequestsPerMinute: setting('RATE_LIMIT_PER_IP', requests(600), 'Requests a minute of one IP address.'),
  signupsPerHour: setting(
    'SIGNUPS_PER_HOUR',
    count(20, 1, 1_000_000),
    'How often an hour one IP address may sign up, use a join link, or ask whether an e-mail address may sign up.',
  ),
  ipv6PrefixBits: setting(
    'RATE_LIMIT_IPV6_PREFIX',
    count(56, 32, 128),
    'Bits of an IPv6 address that make a caller: whoever is given a network has all addresses of it.',
  ),
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
  streamsPerObject: setting(
    'STREAMS_PER_OBJECT',
    count(5, 1, 10_000),
    'Readers of one object’s event stream in one process, such as that of a discovery session.',
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
  mcpSessionsLive: setting(
    'MCP_SESSIONS_LIVE',
    count(10_000, 2),
    'MCP sessions of all organizations that one process has in memory. Where it is full, the organization that has ' +
      'most there gives one up, which its next call brings back.',
  ),
  mcpConfirmSpend: setting(
    'MCP_CONFIRM_SPEND',
    z.enum(['on', 'off']).default('on'),
    'Whether a client that can ask its person (elicitation) has to, before a campaign spends for the first time. ' +
      'Turn off behind a balancer that sends the requests of one MCP session to several processes.',
  ),
  mcpAnswerTimeoutMs: setting(
    'MCP_ANSWER_TIMEOUT_MS',
    count(5 * MINUTE_MS, 1_000, HOUR_MS),
    'Milliseconds such a person is waited for within a session; then nothing is executed.',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    cidrs,
    'Proxies whose X-Forwarded-For is believed, as CIDR ranges separated by commas. Default: none.',
  ),
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    hosts,
    'Hosts, separated by commas, by which callers may name the service beside the one in PUBLIC_URL, such as rialto.internal (on any ' +
      'port) or 10.0.0.5:4000. On loopback localhost, 127.0.0.1 and [::1] are always fine; GET /health is under ' +
      'any host; a service that listens on every address and has no PUBLIC_URL may be called by an IP address too.',
  ),
  allowedOrigins: setting(
    'ALLOWED_ORIGINS',
    origins,
    'Origins, separated by commas, of browser pages that may call the service, each with its scheme and port, such as ' +
      'http://localhost:6274. Default: its own.',
  ),
  headersMax: setting('HEADERS_MAX', count(200, 20, 10_000), 'Headers a request may have.'),
  pipelinedMax: setting(
    'PIPELINED_MAX',
    count(100, 1, 10_000),
    'Requests one connection may have waiting for their answers; one that sends more is cut.',
  ),
  readerTimeoutMs: setting(
    'READER_TIMEOUT_MS',
    count(30_000, 100),
    'Milliseconds after which a caller that takes nothing of its answer is cut, or less than READER_BYTES_PER_SECOND.',
  ),
  readerBytesPerSecond: setting(
    'READER_BYTES_PER_SECOND',
    count(1_000, 1, 1_000_000_000),
    'Bytes a second that a caller has to take of its answer within READER_TIMEOUT_MS, so that nobody keeps an ' +
      'answer here for as long as it likes.',
  ),
  overloadDelayMs: setting(
    'OVERLOAD_DELAY_MS',
    count(250, 0, MINUTE_MS),
    'Milliseconds that the event loop may be late on average: while it is for longer, some of the calls that search, ' +
      'buy and create are refused with 503, no organization more than another; reads and stops go on. 0: none ever.',
  ),
  overloadAfterMs: setting(
    'OVERLOAD_AFTER_MS',
    count(2_000, 0, 600_000),
    'Milliseconds that it has to be so before any is refused.',
  ),
  overloadCallsMin: setting(
    'OVERLOAD_CALLS_MIN',
    count(8, 1, 10_000),
    'Calls of that kind that are under way at a time at the least, however late it is: most of their time they wait.',
  ),
  bodyMaxBytes: setting(
    'BODY_MAX_BYTES',
    count(1_048_576, 1_024, 104_857_600),
    'Largest JSON body, in bytes.',
  ),
  bodyMaxDepth: setting('BODY_MAX_DEPTH', count(64, 4, 1_000), 'Deepest nesting of a JSON body.'),
  bodyMaxValues: setting(
    'BODY_MAX_VALUES',
    count(10_000, 1_000, 1_000_000),
    'Fields and list entries of a JSON body, at all depths together. Far more of them hold up all callers.',
  ),
};
