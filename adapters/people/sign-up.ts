import { findLink, useLink } from '../../store/unscoped/one-use-links.ts';
import { findUser, findUserByEmail, type UserRow, updateUser } from '../../store/unscoped/users.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { personAt } from '../../tools/domain/organizations/people.ts';
import { titleOf } from '../settings/config.ts';
import { actingPerson, subjectOf } from './acting.ts';
import { formOf, signedIn } from './browser.ts';
import { askForAddress, linkBy, sayOver, takeAddress } from './by-mail.ts';
import { putPassword, readChosen, showChoosing } from './choosing.ts';
import type { PageStatus } from './exchange.ts';
import { type Exchange, leadOn, requireSafePlace, returnPath } from './exchange.ts';
import type { Problems } from './fields.ts';
import { html } from './html.ts';
import { mailSignUp } from './mails.ts';
import { type Answer, letIn, type PageRoute } from './people.ts';

const page = {
  path: '/sign-up',
  title: 'Create an account',
  heading: 'Create an account',
  lead: 'We send you a link. You choose a password when you open it.',
  label: 'Work e-mail',
  autocomplete: 'email',
  back: 'I have an account',
  sent: (email: string) => html`We sent a link to <strong>${email}</strong>. It works once, within 24 hours.`,
  send: mailSignUp,
};

const get: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  const wanted = query.get('return_to');
  if ((await signedIn(exchange)) !== undefined) return leadOn(exchange, returnPath(wanted) ?? '/settings');
  await askForAddress(exchange, page, { wanted });
};

/** The same answer for an address that has an account and for one that has none: the mail says which. */
const post: Answer = (exchange) => takeAddress(exchange, page);

interface Finishing {
  readonly token: string;
  readonly email: string;
  readonly name: string;
  readonly wanted: string | null;
  readonly problems?: Problems;
  readonly status?: PageStatus;
}

function showFinishing(exchange: Exchange, { email, ...shown }: Finishing): Promise<void> {
  return showChoosing(exchange, {
    ...shown,
    title: 'Welcome',
    lead: html`<strong>${email}</strong> is confirmed as soon as you send this form.`,
    path: '/sign-up/finish',
    button: `Open my ${titleOf(exchange.app.config)} account`,
    account: email,
  });
}

const getFinish: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  const token = query.get('token') ?? '';
  const link = await linkBy(exchange, 'sign_up', token);
  if (link === undefined) return sayOver(exchange, page);
  const known = await findUserByEmail(exchange.app.services.store.db, link.email);
  const wanted = query.get('return_to');
  await showFinishing(exchange, { token, email: link.email, name: known?.name ?? '', wanted });
};

const postFinish: Answer = async (exchange, { people }) => {
  const fields = await formOf(exchange);
  const token = fields.get('token') ?? '';
  const link = await linkBy(exchange, 'sign_up', token);
  if (link === undefined) return sayOver(exchange, page);
  const wanted = fields.get('return_to');
  const { name, password, problems } = readChosen(fields, { email: link.email, asksName: true });
  if (Object.keys(problems).length > 0) {
    const typed = fields.get('name') ?? '';
    return showFinishing(exchange, {
      ...{ token, email: link.email, name: typed, wanted },
      ...{ problems, status: 422 },
    });
  }
  const made = await finish(exchange, {
    hash: link.hash,
    name,
    password: await people.passwords.hash(password),
  });
  if (made === undefined) return sayOver(exchange, page);
  await letIn(exchange, made, wanted);
};

/** Makes the account, or gives one that was waiting its password. Undefined where the link was used meanwhile. */
async function finish(
  exchange: Exchange,
  { hash, name, password }: { readonly hash: string; readonly name: string; readonly password: string },
): Promise<UserRow | undefined> {
  const { store, ports } = exchange.app.services;
  const { db } = store;
  const link = await findLink(db, { hash, purpose: 'sign_up', now: nowOf(ports.clock) });
  const known = link === undefined ? undefined : await findUserByEmail(db, link.email);
  const user = known === undefined ? null : { ...known, name };
  const actor = actingPerson(exchange, { user, tool: 'sign_up', title: 'Create an account' });
  const { now } = actor;
  const subject = known === undefined ? undefined : await subjectOf(exchange, known);
  return actor.write(
    async (tx) => {
      const used = await useLink(tx, { hash, purpose: 'sign_up', now });
      if (used === undefined) return undefined;
      const { email } = used;
      const { user: person } = await personAt(tx, { email, name, now });
      if (person.suspended_at !== null) return undefined;
      await putPassword(tx, person, { hash: password, now });
      await updateUser(tx, person.id, { name, email_verified_at: now, updated_at: now });
      return findUser(tx, person.id);
    },
    (made) => (made === undefined ? undefined : subject),
  );
}

export const signUpRoutes: readonly PageRoute[] = [
  { path: '/sign-up', get, post },
  { path: '/sign-up/finish', get: getFinish, post: postFinish },
];
