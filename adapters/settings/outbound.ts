import { z } from 'zod';
import { cidrs, count, setting } from './setting.ts';

/** Calls of ours: to sellers and to receivers of webhooks. */
export const outboundSettings = {
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
};
