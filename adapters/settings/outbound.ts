import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../../tools/core/moments.ts';
import { cidrs, count, organizations, setting } from './setting.ts';

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
  sellerProductsMax: setting(
    'SELLER_PRODUCTS_MAX',
    count(2_000, 1, 100_000),
    'Products read of a seller, all pages of its answer together; those beyond are counted.',
  ),
  sellerConnectionsMax: setting(
    'SELLER_CONNECTIONS_MAX',
    count(500, 1, 100_000),
    'Sellers whose connection is kept when none of their calls is under way.',
  ),
  sellerConnectionIdleMs: setting(
    'SELLER_CONNECTION_IDLE_MS',
    count(5 * MINUTE_MS, 1, DAY_MS),
    'Milliseconds an unused connection to a seller is kept.',
  ),
  statusPollMs: setting(
    'STATUS_POLL_MS',
    count(5 * MINUTE_MS, 0, DAY_MS),
    'Milliseconds after which the seller of a media buy is asked again how it stands. 0: when a buyer asks.',
  ),
  sellersAtOnce: setting(
    'SELLERS_AT_ONCE',
    count(32, 1, 1_000),
    'Sellers one discovery session asks at a time. One that is silent for 10 ms makes room for the next, up to eight times as many.',
  ),
  sellersSilentAtOnce: setting(
    'SELLERS_SILENT_AT_ONCE',
    count(1_024, 2, 65_536),
    'Sellers of all discovery sessions of one process that may be silent beside their SELLERS_AT_ONCE; each holds a ' +
      'connection. One organization, asking or selling, takes half of them at the most.',
  ),
  sellerAnswersWaiting: setting(
    'SELLER_ANSWERS_WAITING',
    count(64, 1, 10_000),
    'Large answers of sellers that wait to be read, in turns between organizations, each up to SELLER_RESPONSE_MAX_BYTES. ' +
      'Beyond that whoever has most of them waiting loses one.',
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
  webhooksPerAccount: setting(
    'WEBHOOKS_PER_ACCOUNT',
    count(10, 1, 10_000),
    'Webhook attempts under way at a time for one account, of WEBHOOKS_AT_ONCE.',
  ),
  webhooksTroubledShare: setting(
    'WEBHOOKS_TROUBLED_SHARE',
    count(25, 1, 100),
    'Percent of WEBHOOKS_AT_ONCE that subscriptions may take whose last attempt failed or was slow.',
  ),
  webhooksTroubledKept: setting(
    'WEBHOOKS_TROUBLED_KEPT',
    count(5, 1, 100),
    'Percent of WEBHOOKS_AT_ONCE that wait for those subscriptions while others would take them.',
  ),
  webhookSlowMs: setting(
    'WEBHOOK_SLOW_MS',
    count(1_000),
    'Milliseconds from which on a webhook attempt counts as slow.',
  ),
  webhookAllowedCidrs: setting(
    'WEBHOOK_ALLOWED_CIDRS',
    cidrs,
    'Private ranges that webhooks may reach all the same, as CIDR ranges separated by commas. Default: none.',
  ),
  sellerAllowedCidrs: setting(
    'SELLER_ALLOWED_CIDRS',
    cidrs,
    'Private ranges that sellers may live in, as CIDR ranges separated by commas; http is allowed there. Default: none.',
  ),
  sellerAllowedOrganizations: setting(
    'SELLER_ALLOWED_ORGANIZATIONS',
    organizations,
    'Organizations whose sellers may live in SELLER_ALLOWED_CIDRS: their ids, separated by commas, or * for all. Needed with it.',
  ),
  outboundCaFile: setting(
    'OUTBOUND_CA_FILE',
    z.string().min(1).optional(),
    'PEM file with further certificate authorities for webhooks and sellers, one below the other.',
  ),
};
