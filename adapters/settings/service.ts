import { z } from 'zod';
import { termsVersion } from '../../tools/domain/organizations/terms.ts';
import { count, setting, webAddress } from './setting.ts';

/** The process itself: where it listens, what it is called, how it ends. */
export const serviceSettings = {
  environment: setting(
    'NODE_ENV',
    z.enum(['development', 'test', 'production']).default('development'),
    'production demands SECRETS_KEY and counts loopback callers against the limit per IP.',
  ),
  host: setting('HOST', z.string().min(1).default('127.0.0.1'), 'Address to listen on.'),
  port: setting('PORT', z.coerce.number().int().min(0).max(65_535).default(4000), 'Port to listen on.'),
  publicUrl: setting(
    'PUBLIC_URL',
    webAddress.optional(),
    'Address under which callers reach the service. Default: http://HOST:PORT.',
  ),
  agentUrl: setting(
    'AGENT_URL',
    webAddress.optional(),
    'Address of the storefront agent host, where it is another one: it serves the same /.well-known. Default: PUBLIC_URL.',
  ),
  brand: setting(
    'BRAND',
    z
      .string()
      .regex(/^[a-z][a-z0-9]{1,19}$/, 'Give 2 to 20 lowercase letters and digits, a letter first.')
      .default('rialto'),
    'Name of this installation, 2 to 20 lowercase letters and digits, a letter first: the prefix of its keys and the title of its pages.',
  ),
  termsVersion: setting(
    'TERMS_VERSION',
    termsVersion.default('1'),
    'Version of the terms of service that every organization must have accepted before it changes anything.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    'How much to log. One line a request is info.',
  ),
  logClientAddress: setting(
    'LOG_CLIENT_ADDRESS',
    z.enum(['on', 'off']).default('on'),
    'Whether the line of a request names the address it came from.',
  ),
  processLeaseMs: setting(
    'PROCESS_LEASE_MS',
    count(15_000, 300),
    'Milliseconds after which a process that was not seen is taken for dead, and its work taken over.',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    count(40_000, 100),
    'Milliseconds a stop waits for work under way: more than SELLER_TIMEOUT_MS, or orders at slow ' +
      'sellers are left to the next process.',
  ),
};
