import { findUserByEmail } from '../../store/unscoped/users.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import type { Letter, Mail, MailKind } from '../../tools/core/ports.ts';
import { titleOf } from '../settings/config.ts';
import { type Exchange, returnPath } from './exchange.ts';
import { makeLink } from './links.ts';
import { withReturn } from './people.ts';

const NOT_YOU = 'If it was not you who asked for this, you need not do anything.';

interface Written {
  readonly subject: string;
  readonly lines: readonly string[];
}

interface Wanted {
  readonly to: string;
  readonly kind: MailKind;
  /** RATE_LIMITED where none of the kind may go there now. Otherwise it is left out, and nobody is told. */
  readonly orRefuse?: boolean;
}

/**
 * Sends a mail after the page was answered, so that neither what the page says nor when it comes tells whether
 * there is an account. It is counted before it is written: a link that nobody is sent is not made.
 */
function sendLater(
  { app }: Pick<Exchange, 'app'>,
  { to, kind, orRefuse = false }: Wanted,
  write: () => Promise<Written | undefined>,
): void {
  const { mail, background } = app.services.ports;
  const letter = orRefuse ? mail.to(to, kind) : letterTo(mail, to, kind);
  if (letter === undefined) return;
  background.run('mail to a person', async () => {
    const written = await write();
    if (written === undefined) return;
    const { subject, lines } = written;
    await letter.send({ subject, text: lines.join('\n\n') });
  });
}

function letterTo(mail: Mail, to: string, kind: MailKind): Letter | undefined {
  try {
    return mail.to(to, kind);
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') return undefined;
    throw error;
  }
}

function partsOf({ app }: Pick<Exchange, 'app'>) {
  const { store, ports } = app.services;
  const publicUrl = app.services.publicUrl();
  return { db: store.db, now: ports.clock.now(), publicUrl, title: titleOf(app.config) };
}

/** To whoever wants an account: the way on, to where they wanted to go; to who has one, that it is there. */
export function mailSignUp(
  exchange: Pick<Exchange, 'app'>,
  email: string,
  wanted: string | null = null,
): void {
  sendLater(exchange, { to: email, kind: 'sign_up' }, async () => {
    const { db, title, ...about } = partsOf(exchange);
    const user = await findUserByEmail(db, email);
    if (user?.suspended_at) return undefined;
    if (user?.password_hash) {
      return {
        subject: `You have a ${title} account already`,
        lines: [
          `Somebody asked for a ${title} account with this address. There is one already.`,
          `Sign in: ${about.publicUrl}${withReturn('/sign-in', wanted)}`,
          `Forgotten your password? Have a new one: ${about.publicUrl}/forgotten`,
          NOT_YOU,
        ],
      };
    }
    const link = await makeLink(db, { purpose: 'sign_up', email, wanted: returnPath(wanted), ...about });
    return {
      subject: `Your ${title} account`,
      lines: [
        `Open this address to confirm that this is your e-mail, and to choose a password. It works once, within 24 hours.`,
        link,
        NOT_YOU,
      ],
    };
  });
}

/** To who has an account: a link that lets them choose a new password. */
export function mailReset(exchange: Pick<Exchange, 'app'>, email: string): void {
  sendLater(exchange, { to: email, kind: 'reset' }, async () => {
    const { db, title, ...about } = partsOf(exchange);
    const user = await findUserByEmail(db, email);
    if (user === undefined || user.suspended_at !== null) return undefined;
    const link = await makeLink(db, { purpose: 'reset', email, userId: user.id, ...about });
    return {
      subject: `A new password for ${title}`,
      lines: [`Open this address to choose a new password. It works once, within 30 minutes.`, link, NOT_YOU],
    };
  });
}

/** To somebody signed in: a link that shows that the address is theirs, and leads on to where they were going. */
export function mailVerify(
  exchange: Pick<Exchange, 'app'>,
  user: { readonly id: number; readonly email: string },
  { orRefuse = false, wanted }: { readonly orRefuse?: boolean; readonly wanted?: string | undefined } = {},
): void {
  sendLater(exchange, { to: user.email, kind: 'verify', orRefuse }, async () => {
    const { db, title, ...about } = partsOf(exchange);
    const whose = { email: user.email, userId: user.id, wanted };
    const link = await makeLink(db, { purpose: 'verify', ...whose, ...about });
    return {
      subject: `Confirm your e-mail address for ${title}`,
      lines: [
        'Open this address to confirm that this is your e-mail. It works once, within 24 hours.',
        link,
        NOT_YOU,
      ],
    };
  });
}

/** To somebody whose password was changed: so that its owner learns of it. */
export function mailPasswordChanged(exchange: Pick<Exchange, 'app'>, email: string): void {
  sendLater(exchange, { to: email, kind: 'password_changed' }, async () => {
    const { title, publicUrl } = partsOf(exchange);
    return {
      subject: `Your ${title} password was changed`,
      lines: [
        `The password of your ${title} account was changed. Other browsers were signed out, and programs, agents and service tokens that acted for you have ended: let them in again, or make new ones, where you want them.`,
        'API keys and applications belong to your organization and go on. If somebody else may have known the password before, have an administrator look through them.',
        `If that was not you, choose another one now: ${publicUrl}/forgotten`,
      ],
    };
  });
}

/** To the address that somebody wants their account to have: the way on, where it is free. */
export function mailNewAddress(
  exchange: Pick<Exchange, 'app'>,
  { email, userId }: { readonly email: string; readonly userId: number },
): void {
  sendLater(exchange, { to: email, kind: 'new_address' }, async () => {
    const { db, title, ...about } = partsOf(exchange);
    if ((await findUserByEmail(db, email)) !== undefined) {
      return {
        subject: `You have a ${title} account already`,
        lines: [
          `Somebody wanted to give their ${title} account this address. Yours has it, and nothing was changed.`,
          NOT_YOU,
        ],
      };
    }
    const link = await makeLink(db, { purpose: 'new_email', email, userId, ...about });
    return {
      subject: `Your new e-mail address for ${title}`,
      lines: [
        `Open this address, in a browser where you are signed in, to have your ${title} account under this e-mail from now on. It works once, within 24 hours.`,
        link,
        NOT_YOU,
      ],
    };
  });
}

/** To the address that an account had until now: so that its owner learns of it, and can have it back. */
export function mailAddressChanged(
  exchange: Pick<Exchange, 'app'>,
  changed: { readonly email: string; readonly userId: number; readonly now: string },
): void {
  sendLater(exchange, { to: changed.email, kind: 'address_changed' }, async () => {
    const { db, title, publicUrl } = partsOf(exchange);
    const { email, userId } = changed;
    const now = Date.parse(changed.now);
    const link = await makeLink(db, { purpose: 'old_email', email, userId, now, publicUrl });
    return {
      subject: `Your ${title} account has another e-mail address now`,
      lines: [
        `Your ${title} account has another e-mail address from now on, and other browsers were signed out. This one signs in no more.`,
        'If that was not you, open this address within 3 days. Your account has this e-mail again, everybody is signed out, and you choose a new password.',
        link,
      ],
    };
  });
}
