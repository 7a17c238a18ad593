import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { familyOf, plainAddress } from '../net/addresses.ts';

const BRACKETS_OR_PORT = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/;

/** The address that a proxy noted; some note the port beside it. Undefined when it is none. */
function addressIn(hop: string): string | undefined {
  const address = hop.trim().replace(BRACKETS_OR_PORT, '$1$2');
  return isIP(address) === 0 ? undefined : plainAddress(address);
}

/**
 * Who speaks to us: the peer of the socket, or, behind proxies we trust, the last address in X-Forwarded-For
 * that is none of theirs; what is no address ends the search. Without trusted proxies the header is never read.
 */
export function clientIp(req: IncomingMessage, trusted: BlockList | undefined): string {
  let address = plainAddress(req.socket.remoteAddress ?? '');
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
