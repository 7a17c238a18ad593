import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../tools/core/moments.ts';
import { count, origins, setting, webAddress } from './setting.ts';

const moment = z.iso
  .datetime({ offset: true, error: 'Give a date and time, such as 2027-06-30T00:00:00Z.' })
  .transform((text) => Date.parse(text))
  .optional();

/** Keys and tokens of organizations. */
export const credentialSettings = {
  serviceTokenMs: setting(
    'SERVICE_TOKEN_MS',
    count(DAY_MS, MINUTE_MS, 30 * DAY_MS),
    'Milliseconds a service token lives that is made without an end. Made over MCP this is also the most.',
  ),
  serviceTokenMaxMs: setting(
    'SERVICE_TOKEN_MAX_MS',
    count(30 * DAY_MS, MINUTE_MS, 366 * DAY_MS),
    'Milliseconds a service token lives at the most.',
  ),
  widgetTokenMs: setting(
    'WIDGET_TOKEN_MS',
    count(10 * MINUTE_MS, MINUTE_MS, HOUR_MS),
    'Milliseconds a token for the key-management widget lives.',
  ),
  widgetAllowedOrigins: setting(
    'WIDGET_ALLOWED_ORIGINS',
    origins,
    'Origins, separated by commas, whose pages may show the key-management widget in a frame. Empty: none.',
  ),
  credentialProviderUrl: setting(
    'CREDENTIAL_PROVIDER_URL',
    webAddress.optional(),
    'Address of the service that keeps organization API keys (docs/credentials.md). Empty: they are kept here.',
  ),
  credentialProviderSecret: setting(
    'CREDENTIAL_PROVIDER_SECRET',
    z.string().min(16, 'Give 16 characters or more.').optional(),
    'What we show to that service. It is in no answer and on no page.',
  ),
  credentialProviderTimeoutMs: setting(
    'CREDENTIAL_PROVIDER_TIMEOUT_MS',
    count(5_000, 100, MINUTE_MS),
    'Milliseconds that service has to answer.',
  ),
  credentialProviderCacheMs: setting(
    'CREDENTIAL_PROVIDER_CACHE_MS',
    count(10_000, 0, 300_000),
    'Milliseconds for which its word on a key is believed: a key that it revokes may work for so long.',
  ),
  legacyKeysRetireAt: setting(
    'LEGACY_KEYS_RETIRE_AT',
    moment,
    'When legacy keys are taken no more, such as 2027-06-30T00:00:00Z. Empty: each until it ends itself.',
  ),
};
