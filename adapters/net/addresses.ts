import { BlockList, isIPv6 } from 'node:net';

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

/** An address without the prefix that an IPv6 socket puts before IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
