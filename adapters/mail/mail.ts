import type { Clock, Mail } from '../../tools/core/ports.ts';
import type { Config } from '../settings/config.ts';
import { keepMail } from './folder.ts';

interface Parts {
  readonly config: Pick<Config, 'mailUrl' | 'mailFrom' | 'brand'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Where mails go as long as no server sends them. */
  readonly folder: string;
}

/** By SMTP where the settings name a server; otherwise each mail is a file that the operator can read. */
export function createMail(parts: Parts): Mail {
  const { mailUrl, mailFrom, brand } = parts.config;
  if (mailUrl !== undefined && mailFrom !== undefined) return bySmtp(mailUrl, mailFrom);
  const from = mailFrom ?? `${brand}@localhost`;
  return {
    send: async (message) => keepMail(parts.folder, { ...message, from, at: parts.clock.now() }),
  };
}

const CONNECT_MS = 10_000;
const SEND_MS = 30_000;

/** The package is loaded with the first mail: most processes never send one. */
function bySmtp(url: string, from: string): Mail {
  let transport: Promise<{ sendMail(mail: object): Promise<unknown> }> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SEND_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    send: async ({ to, subject, text }) => {
      transport ??= open();
      // Mails of a machine are not answered by those of another (RFC 3834, section 5).
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await (await transport).sendMail({ from, to: { name: '', address: to }, subject, text, headers });
    },
  };
}
