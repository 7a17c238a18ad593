import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { blockListOf, familyOf } from './addresses.ts';

/** Addresses that hand out a machine's own credentials: no setting opens them. */
const METADATA = ['169.254.169.254/32', '169.254.170.2/32', '100.100.100.200/32', 'fd00:ec2::254/128'];

/** An address that no call of ours may reach. */
export class BlockedAddressError extends Error {
  constructor(address: string) {
    super(`The address ${address} is not one that this service may call.`);
    this.name = 'BlockedAddressError';
  }
}

export interface AddressGuard {
  /** A public address, or one in a range the operator allowed. */
  isAllowed(address: string): boolean;
  /** One in a range the operator allowed: there http is good enough. */
  isTrusted(address: string): boolean;
  /** Resolves a name and refuses it when any of its addresses is refused: the checked one is the connected one. */
  readonly lookup: LookupFunction;
  /** The same for names that must lie in a range the operator allowed. */
  readonly trustedLookup: LookupFunction;
}

/** Guards outbound calls against private and special addresses (OWASP API7), where they connect. */
export function guardAddresses(allowed: BlockList): AddressGuard {
  const never = blockListOf(METADATA);
  const isIn = (list: BlockList, address: string) => list.check(plain(address), familyOf(plain(address)));
  const isTrusted = (address: string) => !isIn(never, address) && isIn(allowed, address);
  const isAllowed = (address: string) =>
    !isIn(never, address) && (isIn(allowed, address) || ipaddr.process(address).range() === 'unicast');
  return {
    isAllowed,
    isTrusted,
    lookup: guardedLookup(isAllowed),
    trustedLookup: guardedLookup(isTrusted),
  };
}

/** An IPv4 address that comes in IPv6 clothes is judged as what it is. */
function plain(address: string): string {
  return ipaddr.process(address).toString();
}

function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] | undefined) => {
      const addresses = found ?? [];
      const [first = { address: '', family: 0 }] = addresses;
      const problem = error ?? problemWith(hostname, addresses, isAllowed);
      if (problem !== undefined) callback(problem, '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function problemWith(
  hostname: string,
  addresses: readonly LookupAddress[],
  isAllowed: (address: string) => boolean,
): Error | undefined {
  const refused = addresses.find(({ address }) => !isAllowed(address));
  if (refused !== undefined) return new BlockedAddressError(refused.address);
  return addresses.length === 0 ? new Error(`${hostname} has no address.`) : undefined;
}

/** The host of a URL when it is an address already: no lookup will see it. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}
