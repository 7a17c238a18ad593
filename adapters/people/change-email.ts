import { isUniqueViolation } from '../../store/engine/dialect.ts';
import { endLinksOf, type OneUseLinkRow, useLink } from '../../store/unscoped/one-use-links.ts';
import { dropIdentitiesSince } from '../../store/unscoped/user-identities.ts';
import { findUser, type UserRow, updateUser } from '../../store/unscoped/users.ts';
import { endWebSessions } from '../../store/unscoped/web-sessions.ts';
import { endActingFor } from '../../tools/domain/agents/ending.ts';
import type { SignedIn } from '../auth/session.ts';
import { actingPerson, subjectOf } from './acting.ts';
import { rememberBrowser } from './attempts.ts';
import { formOf, openField, signedIn } from './browser.ts';
import { linkBy } from './by-mail.ts';
import { showUsedLink } from './choosing.ts';
import { baseOf, type Exchange, leadOn, requireSafePlace, sendPage } from './exchange.ts';
import { type Html, html } from './html.ts';
import { mailAddressChanged, mailReset } from './mails.ts';
import { type Answer, type PageRoute, withReturn } from './people.ts';

function over(exchange: Exchange): void {
  showUsedLink(exchange, html`<a href="${baseOf(exchange.app)}/settings/profile">Back to your settings</a>`);
}

interface Asking {
  readonly path: string;
  readonly token: string;
  readonly title: string;
  readonly lead: Html;
  readonly button: string;
}

/** A button, because programs that look through mail open every link in it. */
async function ask(exchange: Exchange, { path, token, title, lead, button }: Asking): Promise<void> {
  sendPage(exchange, {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<form method="post" action="${baseOf(exchange.app)}${path}">
${await openField(exchange)}
<input type="hidden" name="token" value="${token}">
<button>${button}</button>
</form>`,
  });
}

/**
 * The link and who came by it. It is not enough to have the mailbox: somebody else may have asked for the mail, and
 * would have the account of whoever opens it under an address that is not theirs.
 */
async function arrive(
  exchange: Exchange,
  token: string,
): Promise<{ readonly link: OneUseLinkRow; readonly signed: SignedIn } | undefined> {
  const link = await linkBy(exchange, 'new_email', token);
  if (link === undefined) {
    over(exchange);
    return undefined;
  }
  const signed = await signedIn(exchange);
  if (signed === undefined) {
    leadOn(exchange, withReturn('/sign-in', `/change-email?${new URLSearchParams({ token })}`));
    return undefined;
  }
  if (signed.user.id === link.user_id) return { link, signed };
  sendPage(exchange, {
    title: 'Another account',
    status: 403,
    body: html`<h1>This link is for another account</h1>
<p class="lead">You are signed in as <strong>${signed.user.email}</strong>.</p>
<p>Sign out, sign in to the account that is to have the new address, and open the link again. If you asked for no new address, you need not do anything.</p>`,
  });
  return undefined;
}

const getChange: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  const token = query.get('token') ?? '';
  const arrived = await arrive(exchange, token);
  if (arrived === undefined) return;
  const { link, signed } = arrived;
  await ask(exchange, {
    path: '/change-email',
    token,
    title: 'Change your e-mail',
    lead: html`From now on you sign in with <strong>${link.email}</strong> instead of <strong>${signed.user.email}</strong>. Other browsers are signed out.`,
    button: 'Yes, change it',
  });
};

const postChange: Answer = async (exchange) => {
  const fields = await formOf(exchange);
  const arrived = await arrive(exchange, fields.get('token') ?? '');
  if (arrived === undefined) return;
  const { link, signed } = arrived;
  const { user, session } = signed;
  const now = await moveTo(exchange, link, async (tx, at) => {
    await updateUser(tx, user.id, { email: link.email, email_verified_at: at, updated_at: at });
    await endWebSessions(tx, { userId: user.id, butId: session.id, now: at });
    // Whoever reads the mail of before is not to choose the password.
    await endLinksOf(tx, { userId: user.id, purposes: ['reset', 'verify', 'new_email'], now: at });
  });
  if (now === undefined) return over(exchange);
  mailAddressChanged(exchange, { email: user.email, userId: user.id, now });
  rememberBrowser(exchange, link.email);
  leadOn(exchange, '/settings/profile?done=moved');
};

type Change = (tx: Parameters<typeof updateUser>[0], at: string) => Promise<void>;

/** Uses the link up and gives its person its address, at the moment that is given back; undefined: nothing was done. */
async function moveTo(exchange: Exchange, link: OneUseLinkRow, change: Change): Promise<string | undefined> {
  const { db } = exchange.app.services.store;
  const user = link.user_id === null ? undefined : await findUser(db, link.user_id);
  if (user === undefined) return undefined;
  const subject = await subjectOf(exchange, { id: user.id, email: link.email });
  const changes = { email: { from: user.email, to: link.email } };
  const actor = actingPerson(exchange, {
    user,
    tool: link.purpose === 'new_email' ? 'email_change' : 'email_restore',
    title: 'Change an e-mail address',
  });
  const { now } = actor;
  try {
    const done = await actor.write(
      async (tx) => {
        if ((await useLink(tx, { hash: link.hash, purpose: link.purpose, now })) === undefined) return false;
        await change(tx, now);
        return true;
      },
      (isDone) => (isDone ? subject && { ...subject, changes } : undefined),
    );
    return done ? now : undefined;
  } catch (error) {
    // Somebody made an account with that address meanwhile.
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

/** The person whose address was changed, as long as the link to have it back is good. */
async function movedBy(
  exchange: Exchange,
  token: string,
): Promise<{ readonly link: OneUseLinkRow; readonly user: UserRow } | undefined> {
  const link = await linkBy(exchange, 'old_email', token);
  const user = link?.user_id ? await findUser(exchange.app.services.store.db, link.user_id) : undefined;
  return link === undefined || user === undefined ? undefined : { link, user };
}

const getKeep: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  const token = query.get('token') ?? '';
  const moved = await movedBy(exchange, token);
  if (moved === undefined) return over(exchange);
  await ask(exchange, {
    path: '/keep-email',
    token,
    title: 'Have your account back',
    lead: html`Your account has the address <strong>${moved.link.email}</strong> again, everybody is signed out, and we send you a link with which you choose a new password.`,
    button: 'It was not me: have it back',
  });
};

/** Whoever changed the address knew the password, and may have signed in another way since: all of it ends. */
const postKeep: Answer = async (exchange) => {
  const fields = await formOf(exchange);
  const moved = await movedBy(exchange, fields.get('token') ?? '');
  if (moved === undefined) return over(exchange);
  const { link, user } = moved;
  const { id: userId } = user;
  const done = await moveTo(exchange, link, async (tx, now) => {
    const restored = { email: link.email, email_verified_at: now, password_hash: null, updated_at: now };
    await updateUser(tx, userId, restored);
    await endWebSessions(tx, { userId, now });
    await endActingFor(tx, { userId, now });
    await dropIdentitiesSince(tx, { userId, since: link.created_at });
    await endLinksOf(tx, { userId, purposes: ['reset', 'verify', 'new_email'], now });
    // Whose address it was before that has the better right, and whoever took it from them ends nothing of theirs.
    await endLinksOf(tx, { userId, purposes: ['old_email'], since: link.created_at, now });
  });
  if (done === undefined) return over(exchange);
  mailReset(exchange, link.email);
  sendPage(exchange, {
    title: 'Your account is back',
    body: html`<h1>Your account is back</h1>
<p class="lead">It has the address <strong>${link.email}</strong> again, and everybody is signed out.</p>
<p>Look into your mail: we sent you a link with which you choose a new password. Then look through your keys, applications and members.</p>`,
  });
};

export const changeEmailRoutes: readonly PageRoute[] = [
  { path: '/change-email', get: getChange, post: postChange },
  { path: '/keep-email', get: getKeep, post: postKeep },
];
