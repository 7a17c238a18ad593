import { hostOf, isOutside, isThisMachine } from '../../tools/domain/far-address.ts';
import { type AddressGuard, literalAddress } from './address-guard.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * What can be said of an address before it is called: false for a private or special one, for a name of this
 * machine, and for plain http, where no range of the settings can be meant. Where a call connects, the guard
 * decides again.
 */
export function mayReach(guard: AddressGuard, text: string): boolean {
  const url = new URL(text);
  const host = hostOf(url);
  const isSecure = url.protocol === 'https:';
  if (isThisMachine(host)) return LOOPBACK.some((address) => guard.isTrusted(address));
  const address = literalAddress(url);
  if (address !== undefined) return isSecure ? guard.isAllowed(address) : guard.isTrusted(address);
  return guard.trustsSome || (isSecure && isOutside(host));
}
