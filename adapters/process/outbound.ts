import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { type AddressGuard, guardAddresses } from '../net/address-guard.ts';
import { blockListOf } from '../net/addresses.ts';
import type { Meter } from '../operations/meter.ts';
import { type Fetch, type SellerRoutes, sellerFetch, sellerRoutes } from '../sellers/seller-fetch.ts';
import { type Config, ConfigError } from '../settings/config.ts';

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

/**
 * Every authority that is trusted; undefined where the settings add none. A file without a certificate stops the start
 * with a `ConfigError`: it would be passed over, and the calls that need it fail one by one.
 */
export function authoritiesOf({ outboundCaFile: file }: Pick<Config, 'outboundCaFile'>): string | undefined {
  if (file === undefined) return undefined;
  const added = readText(file);
  try {
    new X509Certificate(added);
  } catch (cause) {
    throw unusable(
      `${file} does not begin with a certificate. Give certificates in PEM, one below the other.`,
      cause,
    );
  }
  return [...rootCertificates, added].join('\n');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unusable(`${reason}. Name a file that is there, and let this user read it.`, cause);
  }
}

function unusable(problem: string, cause: unknown): ConfigError {
  return new ConfigError([`OUTBOUND_CA_FILE: ${problem}`], { cause });
}
