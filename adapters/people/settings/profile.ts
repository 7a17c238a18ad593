import { listIdentities } from '../../../store/unscoped/user-identities.ts';
import { updateUser } from '../../../store/unscoped/users.ts';
import { actingPerson, subjectOf } from '../acting.ts';
import { countMailRequest } from '../attempts.ts';
import { requireSame } from '../browser.ts';
import { mailHint } from '../by-mail.ts';
import { ENDS_WITH_IT, putPassword } from '../choosing.ts';
import { returnPath } from '../exchange.ts';
import { field, nameIn } from '../fields.ts';
import { foreign, type Html, html } from '../html.ts';
import { mailPasswordChanged, mailVerify } from '../mails.ts';
import { passwordProblem } from '../password-rules.ts';
import { askForNewEmail, newEmailForm } from './email.ts';
import { passwordProblemNow } from './password-now.ts';
import type { Before, Outcome, Section, SettingsVisit } from './section.ts';

/** Who the person is, and the password. */
export const profile: Section = {
  name: 'profile',
  title: 'Profile',
  notices: {
    name: 'Your name is saved.',
    password:
      'Your password is changed. Other browsers are signed out, and programs, agents and service tokens that acted for you have ended.',
    mail: 'A link is on its way to your address.',
    email: 'A link is on its way to the new address. Open it in this browser: until then nothing changes.',
    moved: 'Your account has the new address. Other browsers are signed out.',
  },
  render,
  post: (visit, fields) => {
    const deed = fields.get('do');
    if (deed === 'password') return changePassword(visit, fields);
    if (deed === 'email') return askForNewEmail(visit, fields);
    return deed === 'verify' ? sendVerification(visit, fields) : changeName(visit, fields);
  },
};

async function render(visit: SettingsVisit, { problems, typed }: Before): Promise<Html> {
  const { exchange, signed, path, field: token } = visit;
  const { user } = signed;
  const identities = await listIdentities(exchange.app.services.store.db, user.id);
  const isConfirmed = user.email_verified_at !== null;
  return html`<section class="sheet" aria-labelledby="you">
<h2 id="you">You</h2>
<p>${foreign(user.email)} <span class="tag">${isConfirmed ? 'confirmed' : 'not confirmed'}</span></p>
${isConfirmed ? '' : html`<form method="post" action="${path}">${token}<input type="hidden" name="do" value="verify"><p><button class="second">Send me a link to confirm it</button></p></form>${mailHint(exchange.app)}`}
<form method="post" action="${path}" novalidate>${token}<input type="hidden" name="do" value="name">
${field({ name: 'name', label: 'Name', value: typed.get('name') ?? user.name, autocomplete: 'name', problems })}
<button>Save</button>
</form>
</section>
<section class="sheet" aria-labelledby="email-title">
<h2 id="email-title">Change your e-mail</h2>
${await newEmailForm(visit, { problems, typed })}
</section>
<section class="sheet" aria-labelledby="password-title">
<h2 id="password-title">${user.password_hash === null ? 'Password' : 'Change your password'}</h2>
${user.password_hash === null ? withoutPassword() : passwordForm(visit, problems)}
</section>
${identities.length === 0 ? '' : html`<section class="sheet" aria-labelledby="elsewhere"><h2 id="elsewhere">You also sign in with</h2><ul class="list">${identities.map(({ issuer }) => html`<li><span>${foreign(issuer)}</span></li>`)}</ul></section>`}`;
}

function withoutPassword(): Html {
  return html`<p>You sign in with an identity provider. To have a password here too, sign out and choose “Forgotten your password?”.</p>`;
}

function passwordForm({ path, field: token, signed }: SettingsVisit, problems: Before['problems']): Html {
  return html`<form method="post" action="${path}" novalidate>${token}<input type="hidden" name="do" value="password">
<input type="text" name="username" value="${signed.user.email}" autocomplete="username" hidden>
${field({ name: 'current', label: 'Password now', type: 'password', autocomplete: 'current-password', problems })}
${field({ name: 'password', label: 'New password', type: 'password', hint: `At least 12 characters. A few words do well. ${ENDS_WITH_IT}`, autocomplete: 'new-password', problems })}
<button class="second">Change password</button>
</form>`;
}

async function changeName({ exchange, signed }: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const read = nameIn(fields);
  if ('problem' in read) return { problems: { name: read.problem } };
  const { user } = signed;
  const subject = await subjectOf(exchange, user);
  const actor = actingPerson(exchange, { user, tool: 'profile_update', title: 'Change a name' });
  await actor.write(
    (tx) => updateUser(tx, user.id, { name: read.name, updated_at: actor.now }),
    () => subject && { ...subject, changes: { name: { from: user.name, to: read.name } } },
  );
  return { done: 'name' };
}

async function changePassword(visit: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const { exchange, people, signed } = visit;
  const { user, session } = signed;
  const password = fields.get('password') ?? '';
  const chosen = passwordProblem(password, [user.email, user.name]);
  const current = await passwordProblemNow(visit, fields.get('current') ?? '');
  if (current !== undefined || chosen !== undefined) {
    return {
      problems: {
        ...(current === undefined ? {} : { current }),
        ...(chosen === undefined ? {} : { password: chosen }),
      },
    };
  }
  const hash = await people.passwords.hash(password);
  const subject = await subjectOf(exchange, user);
  const actor = actingPerson(exchange, {
    user,
    tool: 'password_change',
    title: 'Change a password',
  });
  await actor.write(
    async (tx) => {
      // Whoever chose another one meanwhile, such as by mail, has it, and this browser was signed out.
      await requireSame(tx, user);
      await putPassword(tx, user, { hash, now: actor.now, butSession: session.id });
    },
    () => subject,
  );
  mailPasswordChanged(exchange, user.email);
  return { done: 'password' };
}

/** Whoever was kept from something by it is led back there when they have confirmed. */
async function sendVerification(
  { exchange, signed }: SettingsVisit,
  fields: URLSearchParams,
): Promise<Outcome> {
  countMailRequest(exchange);
  mailVerify(exchange, signed.user, { orRefuse: true, wanted: returnPath(fields.get('return_to')) });
  return { done: 'mail' };
}
