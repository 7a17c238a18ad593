import { BlockList, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A list of ranges, each an address and the number of its bits that count. */
export function blockListOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits = ''] = cidr.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** An address in its one spelling: IPv4 without IPv6 clothes, IPv6 short, in lower case and without a zone. */
export function plainAddress(address: string): string {
  if (IPV4.test(address)) return address;
  const [bare = ''] = address.split('%');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : address;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
