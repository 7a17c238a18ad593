import { hash } from 'node:crypto';
import { rateLimited } from '../../tools/core/errors/refusals.ts';
import type { Carrier, Mail } from '../../tools/core/ports.ts';
import type { FixedWindows } from '../http/fixed-windows.ts';
import type { MailWindows } from '../http/rate-limit.ts';

/**
 * Mails by way of a carrier, as many of a kind to one address as these windows let go. What organizations send counts
 * for each of them, so that none keeps the mails of another away, and for all of them, who come as they like.
 */
export function countedMail(carrier: Carrier, { ofOne, ofAll }: MailWindows): Mail {
  const take = (windows: FixedWindows, key: string) => {
    const { isOver, resetSeconds } = windows.take(key);
    if (isOver) throw tooMany(resetSeconds);
  };
  return {
    to: (address, kind, sender) => {
      // Addresses stand in no memory and no message between processes as they are.
      const key = `${kind} ${hash('sha256', address, 'base64url')}`;
      take(ofOne, sender === undefined ? key : `${key} ${sender}`);
      if (sender !== undefined) take(ofAll, key);
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
