import { isIP, Socket } from 'node:net';
import type { Carrier, Clock, Message } from '../../tools/core/ports.ts';
import { isLoopback } from '../net/addresses.ts';
import type { Config } from '../settings/config.ts';
import { keepMail } from './folder.ts';

interface Parts {
  readonly config: Pick<Config, 'mailUrl' | 'mailFrom' | 'brand'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Where mails go as long as no server sends them. */
  readonly folder: string;
}

/** By SMTP where the settings name a server; otherwise each mail is a file that the operator can read. */
export function createMail(parts: Parts): Carrier {
  const { mailUrl, mailFrom, brand } = parts.config;
  if (mailUrl !== undefined && mailFrom !== undefined) {
    return inTime(parts.clock, bySmtp(mailUrl, mailFrom));
  }
  const from = mailFrom ?? `${brand}@localhost`;
  return {
    send: async (message) => keepMail(parts.folder, { ...message, from, at: parts.clock.now() }),
  };
}

const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
/** A server that says a word now and then keeps nobody waiting for longer than this. */
const IN_ALL_MS = 20_000;

function inTime(clock: Pick<Clock, 'after'>, mail: Carrier): Carrier {
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        const over = () =>
          reject(new Error(`The mail server did not take a mail within ${IN_ALL_MS / 1_000} s.`));
        const callOff = clock.after(IN_ALL_MS, over);
        mail.send(message).then(resolve, reject).finally(callOff);
      }),
  };
}

/** The package is loaded with the first mail: most processes never send one. */
function bySmtp(url: string, from: string): Carrier {
  let transport: Promise<{ sendMail(mail: object): Promise<unknown> }> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport(wayTo(url, { connectMs: CONNECT_MS, silentMs: SILENT_MS }));
  };
  return {
    send: async ({ to, subject, text }: Message) => {
      transport ??= open();
      // Mails of a machine are not answered by those of another (RFC 3834, section 5).
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await (await transport).sendMail({ from, to: { name: '', address: to }, subject, text, headers });
    },
  };
}

function wayTo(url: string, { connectMs, silentMs }: { connectMs: number; silentMs: number }) {
  return {
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
    // Neither a password nor a link that signs somebody in goes over a network in clear.
    requireTLS: !isOnThisMachine(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Comes as far as a mail would be handed over, on the way that mails go, or throws within the time that is given. */
export async function greetMailServer(url: string, limitMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const socket = new Socket();
  const over = AbortSignal.timeout(limitMs);
  const tooLate = new Promise<never>((_resolve, reject) => {
    over.addEventListener('abort', () => reject(new Error(`no answer within ${limitMs / 1_000} s`)));
  });
  try {
    const way = wayTo(url, { connectMs: limitMs, silentMs: limitMs });
    await Promise.race([createTransport({ ...way, socket }).verify(), tooLate]);
  } finally {
    socket.destroy();
  }
}

function isOnThisMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/[[\]]/g, '');
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
}
