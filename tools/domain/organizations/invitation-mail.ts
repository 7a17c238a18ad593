import type { Message } from '../../core/ports.ts';
import { boundedText } from '../text.ts';

const NAME_MAX = 60;

/** Where programs that show mails make a link of a text: inside addresses of the web, of mail and of other schemes. */
const JOINS = /([.\u3002:/\\@])(?=\S)/gu;
const QUOTES = /["“”„‟«»]/gu;

/**
 * A name that a stranger chose, as it may stand between quotation marks in a mail of ours: in one line, cut, and with a
 * blank inside whatever a reader's program would make a link of.
 */
export function nameInMail(name: string): string {
  // Letters of other widths are read as the plain ones.
  const plain = boundedText(name.normalize('NFKC'), NAME_MAX);
  return plain.replace(QUOTES, '’').replace(JOINS, '$1 ');
}

interface Invited {
  readonly organizationName: string;
  readonly role: string;
  readonly email: string;
  readonly expiresAt: string;
  /** Where callers reach us. */
  readonly publicUrl: string;
  /** What the address of the invitation ends in. */
  readonly value: string;
}

/** The mail of an invitation. Nothing that a stranger chose stands in its subject. */
export function invitationMail(invited: Invited): Omit<Message, 'to'> {
  const { organizationName, role, email, expiresAt, publicUrl, value } = invited;
  const { host } = new URL(publicUrl);
  return {
    subject: `You are invited to an organization at ${host}`,
    text: [
      `“${nameInMail(organizationName)}” invites you to work for them at ${host}, as ${role}.`,
      `Open this address to accept: ${publicUrl}/invitations/${value}`,
      `It works once, for ${email} alone, until ${expiresAt}.`,
      'The name is what they call themselves; nobody here has looked at it. If you expect no invitation, you need not do anything.',
    ].join('\n\n'),
  };
}
