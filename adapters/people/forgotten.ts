import { useLink } from '../../store/unscoped/one-use-links.ts';
import { findUser, type UserRow, updateUser } from '../../store/unscoped/users.ts';
import { actingPerson, subjectOf } from './acting.ts';
import { formOf } from './browser.ts';
import { askForAddress, linkBy, sayOver, takeAddress } from './by-mail.ts';
import { ENDS_WITH_IT, putPassword, readChosen, showChoosing } from './choosing.ts';
import type { PageStatus } from './exchange.ts';
import { type Exchange, requireSafePlace } from './exchange.ts';
import type { Problems } from './fields.ts';
import { html } from './html.ts';
import { linkHash } from './links.ts';
import { mailPasswordChanged, mailReset } from './mails.ts';
import { type Answer, letIn, type PageRoute } from './people.ts';

const page = {
  path: '/forgotten',
  title: 'Forgotten password',
  heading: 'Forgotten your password?',
  lead: 'We send you a link with which you choose a new one.',
  label: 'E-mail',
  autocomplete: 'username',
  back: 'Back to signing in',
  sent: (email: string) =>
    html`If <strong>${email}</strong> has an account here, a link is on its way. It works once, within 30 minutes.`,
  send: mailReset,
};

const get: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  await askForAddress(exchange, page, { wanted: query.get('return_to') });
};

const post: Answer = (exchange) => takeAddress(exchange, page);

/** The person that a link was sent to, as long as it is good. */
async function personOf(exchange: Exchange, token: string | null): Promise<UserRow | undefined> {
  const link = await linkBy(exchange, 'reset', token);
  const user = link?.user_id ? await findUser(exchange.app.services.store.db, link.user_id) : undefined;
  return user?.suspended_at === null ? user : undefined;
}

interface Resetting {
  readonly token: string;
  readonly email: string;
  readonly problems?: Problems;
  readonly status?: PageStatus;
}

function showReset(exchange: Exchange, { email, ...shown }: Resetting): Promise<void> {
  return showChoosing(exchange, {
    ...shown,
    title: 'Choose a new password',
    lead: html`for <strong>${email}</strong>. ${ENDS_WITH_IT}`,
    path: '/reset',
    button: 'Save and sign in',
    account: email,
  });
}

const getReset: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  const token = query.get('token') ?? '';
  const user = await personOf(exchange, token);
  if (user === undefined) return sayOver(exchange, page);
  await showReset(exchange, { token, email: user.email });
};

const postReset: Answer = async (exchange, { people }) => {
  const fields = await formOf(exchange);
  const token = fields.get('token') ?? '';
  const user = await personOf(exchange, token);
  const hash = linkHash(token);
  if (user === undefined || hash === undefined) return sayOver(exchange, page);
  const { password, problems } = readChosen(fields, { email: user.email, asksName: false });
  if (Object.keys(problems).length > 0) {
    return showReset(exchange, { token, email: user.email, problems, status: 422 });
  }
  const password_hash = await people.passwords.hash(password);
  const subject = await subjectOf(exchange, user);
  const actor = actingPerson(exchange, {
    user,
    tool: 'password_reset',
    title: 'Choose a new password',
  });
  const { now } = actor;
  const done = await actor.write(
    async (tx) => {
      if ((await useLink(tx, { hash, purpose: 'reset', now })) === undefined) return false;
      await putPassword(tx, user, { hash: password_hash, now });
      // Who opens the link has the mailbox.
      await updateUser(tx, user.id, { email_verified_at: user.email_verified_at ?? now, updated_at: now });
      return true;
    },
    (isDone) => (isDone ? subject : undefined),
  );
  if (!done) return sayOver(exchange, page);
  mailPasswordChanged(exchange, user.email);
  await letIn(exchange, { ...user, password_hash });
};

export const forgottenRoutes: readonly PageRoute[] = [
  { path: '/forgotten', get, post },
  { path: '/reset', get: getReset, post: postReset },
];
