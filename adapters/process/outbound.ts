import { type AddressGuard, guardAddresses } from '../net/address-guard.ts';
import { blockListOf } from '../net/addresses.ts';
import type { Meter } from '../operations/meter.ts';
import { type Fetch, type SellerRoutes, sellerFetch, sellerRoutes } from '../sellers/seller-fetch.ts';
import type { Config } from '../settings/config.ts';
import { authoritiesOf } from './authorities.ts';

/** The ways out of this process, each with its own guard. */
export interface Outbound {
  readonly sellers: SellerRoutes;
  readonly webhookGuard: AddressGuard;
  /** The way to identity providers. */
  readonly providers: { readonly fetch: Fetch; close(): Promise<void> };
  /** Every authority that is trusted, when the settings add some. */
  readonly ca: string | undefined;
}

/** A provider answers soon and in few words, or not at all: somebody waits at a page. */
const PROVIDER = { sellerTimeoutMs: 10_000, sellerResponseMaxBytes: 524_288 };

export function openOutbound(config: Config, meter?: Pick<Meter, 'blocked'>): Outbound {
  const sellerBlocked = () => meter?.blocked('seller');
  const ca = authoritiesOf(config);
  return {
    sellers: sellerRoutes({
      config,
      trusted: guardAddresses(blockListOf(config.sellerAllowedCidrs), sellerBlocked),
      strict: guardAddresses(blockListOf([]), sellerBlocked),
      ca,
    }),
    providers: sellerFetch({
      config: { ...config, ...PROVIDER },
      guard: guardAddresses(blockListOf(config.oidcAllowedCidrs), () => meter?.blocked('provider')),
      ca,
    }),
    webhookGuard: guardAddresses(blockListOf(config.webhookAllowedCidrs), () => meter?.blocked('webhook')),
    ca,
  };
}

/** Ways out for one piece of work, closed when that is done: connections that are kept would hold a command up. */
export async function withOutbound<T>(config: Config, work: (outbound: Outbound) => Promise<T>): Promise<T> {
  const outbound = openOutbound(config);
  try {
    return await work(outbound);
  } finally {
    await Promise.all([outbound.sellers.close(), outbound.providers.close()]);
  }
}
