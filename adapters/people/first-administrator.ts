import type { Db } from '../../store/engine/db.ts';
import type { OneUseLinkRow } from '../../store/unscoped/one-use-links.ts';
import { findUserByEmail, type UserRow } from '../../store/unscoped/users.ts';
import { chooseOrganization } from '../../store/unscoped/web-sessions.ts';
import { EMAIL_PROBLEM } from '../../tools/domain/email.ts';
import { appointAdministrator } from '../../tools/domain/organizations/first-administrator.ts';
import { personAt } from '../../tools/domain/organizations/people.ts';
import type { SignedIn } from '../auth/session.ts';
import { titleOf } from '../settings/config.ts';
import { actingPerson } from './acting.ts';
import { formOf, openField, signedIn } from './browser.ts';
import { linkBy } from './by-mail.ts';
import { readChosen, showChoosing, showUsedLink } from './choosing.ts';
import type { PageStatus } from './exchange.ts';
import { baseOf, type Exchange, leadOn, requireSafePlace, sendPage } from './exchange.ts';
import { emailIn, type Problems } from './fields.ts';
import { html } from './html.ts';
import { mailVerify } from './mails.ts';
import { type Answer, letIn, type PageRoute } from './people.ts';

const PATH = '/first-administrator';

interface Link {
  readonly token: string;
  readonly hash: string;
  readonly row: OneUseLinkRow & { readonly administers: number };
}

async function linkOf(exchange: Exchange, token: string | null): Promise<Link | undefined> {
  const row = await linkBy(exchange, 'admin', token);
  if (row?.administers == null || token === null) return undefined;
  return { token, hash: row.hash, row: { ...row, administers: row.administers } };
}

function over(exchange: Exchange): void {
  showUsedLink(
    exchange,
    html`Have another printed on the machine itself: <code>npm run rialto -- admin link</code>. If you are the administrator already, <a href="${baseOf(exchange.app)}/sign-in">sign in</a>.`,
  );
}

interface Given {
  readonly email?: string;
  readonly name?: string;
  readonly problems?: Problems;
  readonly status?: PageStatus;
}

function show(
  exchange: Exchange,
  { token }: Link,
  { email = '', name = '', ...given }: Given = {},
): Promise<void> {
  const title = titleOf(exchange.app.config);
  return showChoosing(exchange, {
    ...given,
    title: `Welcome to ${title}`,
    lead: html`You are its first administrator. How will you sign in from now on?`,
    path: PATH,
    token,
    button: 'Finish and sign in',
    email,
    name,
  });
}

/** Whoever is signed in already only says yes. */
async function showYes(exchange: Exchange, { token }: Link, { user }: SignedIn): Promise<void> {
  sendPage(exchange, {
    title: 'Become an administrator',
    body: html`<h1>Become an administrator</h1>
<p class="lead">You are signed in as <strong>${user.email}</strong>.</p>
<form method="post" action="${baseOf(exchange.app)}${PATH}">
${await openField(exchange)}
<input type="hidden" name="token" value="${token}">
<button>Become an administrator</button>
</form>`,
  });
}

const get: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  const link = await linkOf(exchange, query.get('token'));
  if (link === undefined) return over(exchange);
  const signed = await signedIn(exchange);
  if (signed === undefined) await show(exchange, link);
  else await showYes(exchange, link, signed);
};

const TAKEN =
  'There is an account with this address. Sign in with it first, or have a password mailed to it under “Forgotten your password?” on the sign-in page, then open this link again.';

const post: Answer = async (exchange, { people }) => {
  const fields = await formOf(exchange);
  const link = await linkOf(exchange, fields.get('token'));
  if (link === undefined) return over(exchange);
  const signed = await signedIn(exchange);
  if (signed !== undefined) {
    const made = await appoint(exchange, link, { who: signed.user, make: async () => signed.user });
    if (made === undefined) return over(exchange);
    const { db } = exchange.app.services.store;
    await chooseOrganization(db, { id: signed.session.id, organizationId: link.row.administers });
    return leadOn(exchange, '/settings');
  }
  const email = emailIn(fields);
  const { name, password, problems } = await readPerson(exchange, fields, email);
  if (email === undefined || Object.keys(problems).length > 0) {
    const typed = { email: fields.get('email') ?? '', name: fields.get('name') ?? '' };
    return show(exchange, link, { ...typed, problems, status: 422 });
  }
  const passwordHash = await people.passwords.hash(password);
  const made = await appointNew(exchange, link, { email, name, passwordHash });
  if (made === 'taken') return show(exchange, link, { email, name, problems: { email: TAKEN }, status: 422 });
  if (made === undefined) return over(exchange);
  mailVerify(exchange, made);
  await letIn(exchange, made);
};

async function readPerson({ app }: Exchange, fields: URLSearchParams, email: string | undefined) {
  const chosen = readChosen(fields, { email: email ?? '', asksName: true });
  const known = email === undefined ? undefined : await findUserByEmail(app.services.store.db, email);
  // A person without a password here signs in elsewhere, or has yet to come: the account is theirs all the same.
  const taken = known === undefined ? undefined : TAKEN;
  const problem = email === undefined ? EMAIL_PROBLEM : taken;
  const problems: Problems = { ...(problem === undefined ? {} : { email: problem }), ...chosen.problems };
  return { ...chosen, problems };
}

/** Who is to be an administrator: as the log names them, and as they are made known. */
interface Appointed {
  readonly who: Pick<UserRow, 'email' | 'name'> & { readonly id: number | null };
  make(tx: Db, now: string): Promise<UserRow>;
}

function appoint(
  exchange: Exchange,
  { hash, row }: Link,
  { who, make }: Appointed,
): Promise<UserRow | undefined> {
  const actor = actingPerson(exchange, {
    user: who,
    tool: 'first_administrator',
    title: 'Become an administrator by a link that was printed',
  });
  return appointAdministrator(actor, { hash, organizationId: row.administers, make });
}

/** Taken back whole, so that the link stays good for whoever has the address. */
class Taken extends Error {}

/** The same for somebody whom nobody knows yet. */
function appointNew(
  exchange: Exchange,
  link: Link,
  person: { readonly email: string; readonly name: string; readonly passwordHash: string },
): Promise<UserRow | undefined | 'taken'> {
  const make = async (tx: Db, now: string) => {
    const { user, isNew } = await personAt(tx, { ...person, now });
    if (!isNew) throw new Taken();
    return user;
  };
  return appoint(exchange, link, { who: { ...person, id: null }, make }).catch((error: unknown) => {
    if (error instanceof Taken) return 'taken';
    throw error;
  });
}

export const firstAdministratorRoutes: readonly PageRoute[] = [{ path: PATH, get, post }];
