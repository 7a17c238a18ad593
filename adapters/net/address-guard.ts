import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { blockListOf, familyOf } from './addresses.ts';

/** Addresses that hand out a machine's own credentials or settings, cloud by cloud: no setting opens them. */
const METADATA = [
  '169.254.169.254/32',
  '169.254.170.2/32',
  '169.254.170.23/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
];

/** Where IPv6 has its public addresses (RFC 4291): everything else is special, or not given out yet. */
const GLOBAL_IPV6 = blockListOf(['2000::/3']);
const CARRIED_LAST = blockListOf(['::/96', '64:ff9b::/96']);
const CARRIED_FIRST = blockListOf(['2002::/16']);

/** An address that no call of ours may reach. */
export class BlockedAddressError extends Error {
  constructor(address: string) {
    super(`The address ${address} is not one that this service may call.`);
    this.name = 'BlockedAddressError';
  }
}

export interface AddressGuard {
  /** What a call fails with that was kept from this address, which is counted. */
  block(address: string): BlockedAddressError;
  /** A public address, or one in a range the operator allowed. */
  isAllowed(address: string): boolean;
  /** One in a range the operator allowed: there http is good enough. */
  isTrusted(address: string): boolean;
  /** Whether the operator allowed any range at all. */
  readonly trustsSome: boolean;
  /** Resolves a name and refuses it when any of its addresses is refused: the checked one is the connected one. */
  readonly lookup: LookupFunction;
  /** The same for names that must lie in a range the operator allowed. */
  readonly trustedLookup: LookupFunction;
}

const JUDGED_MAX = 1_000;

interface Judgement {
  readonly isTrusted: boolean;
  readonly isAllowed: boolean;
}

/** Guards outbound calls against private and special addresses (OWASP API7), where they connect. */
export function guardAddresses(allowed: BlockList, blocked: () => void = () => {}): AddressGuard {
  const never = blockListOf(METADATA);
  const judge = (address: string): Judgement => {
    const isNever = isIn(never, address) || isIn(never, carriedBy(address));
    const isTrusted = !isNever && isIn(allowed, address);
    return { isTrusted, isAllowed: isTrusted || (!isNever && isPublic(address)) };
  };
  // The ranges never change: a seller that is asked often is judged once.
  const judged = new LRUCache<string, Judgement>({ max: JUDGED_MAX });
  const judgementOf = (address: string): Judgement => {
    const judgement = judged.get(address) ?? judge(address);
    judged.set(address, judgement);
    return judgement;
  };
  const isTrusted = (address: string) => judgementOf(address).isTrusted;
  const isAllowed = (address: string) => judgementOf(address).isAllowed;
  const block = (address: string) => {
    blocked();
    return new BlockedAddressError(address);
  };
  return {
    block,
    isAllowed,
    isTrusted,
    trustsSome: allowed.rules.length > 0,
    lookup: guardedLookup(isAllowed, block),
    trustedLookup: guardedLookup(isTrusted, block),
  };
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(plain(address), familyOf(plain(address)));
}

function isPublic(address: string): boolean {
  const found = known(address);
  return found.range() === 'unicast' && (found.kind() === 'ipv4' || isIn(GLOBAL_IPV6, address));
}

/**
 * The IPv4 address that a gateway may send an IPv6 address on to: of ::/96 and of 64:ff9b::/96 the last 32 bits,
 * of 2002::/16 those behind the prefix. Any other address is its own.
 */
function carriedBy(address: string): string {
  const found = known(address);
  if (found.kind() === 'ipv4') return address;
  const bytes = found.toByteArray();
  const carried = isIn(CARRIED_LAST, address) ? bytes.slice(12) : bytes.slice(2, 6);
  return isIn(CARRIED_LAST, address) || isIn(CARRIED_FIRST, address) ? carried.join('.') : address;
}

/** An IPv4 address that comes in IPv6 clothes is judged as what it is. */
function plain(address: string): string {
  return known(address).toString();
}

/** Reads `::8.8.8.8` as the IPv6 address that a socket connects to: the library takes it for IPv4 in its clothes. */
function known(address: string) {
  const url = `http://[${address}]`;
  const isDotted = isIP(address) === 6 && address.includes('.') && URL.canParse(url);
  return ipaddr.process(isDotted ? new URL(url).hostname.slice(1, -1) : address);
}

function guardedLookup(isAllowed: AddressGuard['isAllowed'], block: AddressGuard['block']): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] | undefined) => {
      const addresses = found ?? [];
      const [first = { address: '', family: 0 }] = addresses;
      const problem = error ?? problemWith(hostname, addresses, { isAllowed, block });
      if (problem !== undefined) callback(problem, '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function problemWith(
  hostname: string,
  addresses: readonly LookupAddress[],
  { isAllowed, block }: Pick<AddressGuard, 'isAllowed' | 'block'>,
): Error | undefined {
  const refused = addresses.find(({ address }) => !isAllowed(address));
  if (refused !== undefined) return block(refused.address);
  return addresses.length === 0 ? new Error(`${hostname} has no address.`) : undefined;
}

/** The host of a URL when it is an address already: no lookup will see it. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}
