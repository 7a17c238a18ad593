import type { Receivers } from '../../tools/core/ports.ts';
import { hostOf, isThisMachine } from '../../tools/domain/webhooks/address.ts';
import { type AddressGuard, literalAddress } from '../net/address-guard.ts';

const LOOPBACK = ['127.0.0.1', '::1'];

/** What can be said of a receiver before it is called. Where an attempt connects, the guard decides again. */
export function receiversBehind(guard: AddressGuard): Receivers {
  return {
    isOpen: (text) => {
      const url = new URL(text);
      if (isThisMachine(hostOf(url))) return LOOPBACK.some((address) => guard.isTrusted(address));
      const address = literalAddress(url);
      return address === undefined || guard.isAllowed(address);
    },
  };
}
