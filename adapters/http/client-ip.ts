import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

export function blockListOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits = ''] = cidr.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** An address without the prefix that an IPv6 socket puts before IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

const BRACKETS_OR_PORT = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/;

/** The address that a proxy noted; some note the port beside it. Undefined when it is none. */
function addressIn(hop: string): string | undefined {
  const address = plain(hop.trim().replace(BRACKETS_OR_PORT, '$1$2'));
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Who speaks to us: the peer of the socket, or, behind proxies we trust, the last address in X-Forwarded-For
 * that is none of theirs; what is no address ends the search. Without trusted proxies the header is never read.
 */
export function clientIp(req: IncomingMessage, trusted: BlockList | undefined): string {
  let address = plain(req.socket.remoteAddress ?? '');
  if (trusted === undefined) return address;
  const forwarded = [req.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse();
  for (const hop of forwarded) {
    if (!trusted.check(address, familyOf(address))) return address;
    const before = addressIn(hop);
    if (before === undefined) return address;
    address = before;
  }
  return address;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}
