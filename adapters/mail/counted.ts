import { hash } from 'node:crypto';
import { rateLimited } from '../../tools/core/errors/refusals.ts';
import type { Carrier, Mail } from '../../tools/core/ports.ts';
import type { FixedWindows } from '../http/fixed-windows.ts';

/** Mails by way of a carrier, as many of a kind to one address as these windows let go. */
export function countedMail(carrier: Carrier, windows: FixedWindows): Mail {
  return {
    to: (address, kind) => {
      // Addresses stand in no memory and no message between processes as they are.
      const { isOver, resetSeconds } = windows.take(`${kind} ${hash('sha256', address, 'base64url')}`);
      if (isOver) throw tooMany(resetSeconds);
      return { send: (text) => carrier.send({ to: address, ...text }) };
    },
  };
}

function tooMany(retryAfter: number) {
  return rateLimited(retryAfter, {
    message: 'As many mails of this kind went to this address as may for now.',
    suggestion: 'Look for the newest of them in that mailbox, among unwanted mail too, or try again then.',
  });
}
