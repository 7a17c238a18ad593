import { domainOf, EMAIL_PROBLEM } from '../../../tools/domain/email.ts';
import { countMailRequest } from '../attempts.ts';
import { mailHint } from '../by-mail.ts';
import { emailIn, field } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { mailNewAddress } from '../mails.ts';
import { passwordProblemNow } from './password-now.ts';
import type { Before, Outcome, SettingsVisit } from './section.ts';

/** The form that asks for another address. */
export async function newEmailForm(visit: SettingsVisit, { problems, typed }: Before): Promise<Html> {
  const { path, field: token, exchange } = visit;
  const fixed = await whyFixed(visit);
  if (fixed !== undefined) return html`<p>${fixed}</p>`;
  const value = typed.get('email') ?? '';
  return html`<form method="post" action="${path}" novalidate>${token}<input type="hidden" name="do" value="email">
${field({ name: 'email', label: 'New e-mail', type: 'email', value, hint: 'We send a link there. Until you open it, nothing changes.', autocomplete: 'email', problems })}
${field({ name: 'password_now', label: 'Your password', type: 'password', autocomplete: 'current-password', problems })}
<button class="second">Send the link</button>
</form>${mailHint(exchange.app)}`;
}

/** Why somebody's address is not theirs to change; undefined where it is. */
async function whyFixed({ people, signed }: SettingsVisit): Promise<string | undefined> {
  const { email, password_hash } = signed.user;
  const domain = domainOf(email);
  if ((await people.providers.find(domain)) !== undefined) {
    return `Your organization looks after the addresses at ${domain}. Ask an administrator of it for another one.`;
  }
  if (password_hash !== null) return undefined;
  return 'To change it, have a password here first: sign out and choose “Forgotten your password?”.';
}

/** Sends a link to the new address. Whether somebody has it already, only its mailbox learns. */
export async function askForNewEmail(visit: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const { exchange, signed } = visit;
  const fixed = await whyFixed(visit);
  if (fixed !== undefined) return { problems: { '': fixed } };
  const email = emailIn(fields);
  const wrong = email === undefined ? EMAIL_PROBLEM : sameProblem(email, signed.user.email);
  const now = await passwordProblemNow(visit, fields.get('password_now') ?? '');
  if (email === undefined || wrong !== undefined || now !== undefined) {
    return {
      problems: {
        ...(wrong === undefined ? {} : { email: wrong }),
        ...(now === undefined ? {} : { password_now: now }),
      },
    };
  }
  countMailRequest(exchange);
  mailNewAddress(exchange, { email, userId: signed.user.id });
  return { done: 'email' };
}

function sameProblem(email: string, own: string): string | undefined {
  return email === own ? 'This is your address already.' : undefined;
}
