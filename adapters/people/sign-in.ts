import { findUserByEmail, renewPassword, type UserRow } from '../../store/unscoped/users.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { EMAIL_PROBLEM } from '../../tools/domain/email.ts';
import { holderOfUser } from '../../tools/domain/organizations/holders.ts';
import { titleOf } from '../settings/config.ts';
import { countAttempt, noteRefused } from './attempts.ts';
import { endSession, formOf, openField, signedIn } from './browser.ts';
import type { PageStatus } from './exchange.ts';
import { baseOf, type Exchange, leadOn, requireSafePlace, returnPath, sendPage } from './exchange.ts';
import { emailIn, field, type Problems, summary } from './fields.ts';
import { html } from './html.ts';
import { type Answer, type Asked, letIn, type PageRoute, returnField, withReturn } from './people.ts';

const WRONG = 'The e-mail address or the password is not right.';

interface Shown {
  readonly wanted: string | null;
  readonly email?: string | undefined;
  readonly problems?: Problems;
  readonly status?: PageStatus;
}

async function show(exchange: Exchange, { people }: Asked, shown: Shown): Promise<void> {
  const { wanted, email, problems = {}, status = 200 } = shown;
  const base = baseOf(exchange.app);
  const ways = await people.providers.ways();
  const isFirst = email === undefined || problems['email'] !== undefined;
  sendPage(exchange, {
    title: 'Sign in',
    status,
    leadsOut: true,
    body: html`<h1>Sign in to ${titleOf(exchange.app.config)}</h1>
${summary(problems)}
<form method="post" action="${base}/sign-in" novalidate>
${await openField(exchange)}${returnField(wanted)}
${field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username', problems, autofocus: isFirst })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', problems, autofocus: !isFirst })}
<button>Sign in</button>
</form>
${ways.length === 0 ? '' : html`<p class="or">or</p><div class="ways">${ways.map(({ path, label }) => html`<a class="button second" href="${base}${withReturn(path, wanted)}">${label}</a>`)}</div>`}
<ul class="links">
<li><a href="${base}/forgotten">Forgotten your password?</a></li>
<li><a href="${base}${withReturn('/sign-up', wanted)}">Create an account</a></li>
</ul>`,
  });
}

const get: Answer = async (exchange, asked) => {
  requireSafePlace(exchange);
  const wanted = asked.query.get('return_to');
  // Who is signed in may be wanted to show so once more: a program asked for it.
  const isEnough = asked.query.get('again') === null;
  if (isEnough && (await signedIn(exchange)) !== undefined)
    return leadOn(exchange, returnPath(wanted) ?? '/settings');
  await show(exchange, asked, { wanted });
};

const post: Answer = async (exchange, asked) => {
  const fields = await formOf(exchange);
  const wanted = fields.get('return_to');
  const given = readGiven(fields);
  if ('problems' in given) {
    const typed = fields.get('email') ?? '';
    return show(exchange, asked, { wanted, email: typed, problems: given.problems, status: 422 });
  }
  const { email } = given;
  try {
    const user = await recognise(exchange, asked, given);
    if (user === undefined) {
      return await show(exchange, asked, { wanted, email, problems: { '': WRONG }, status: 401 });
    }
    await letIn(exchange, user, wanted);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') throw error;
    await tooOften(exchange, asked, { wanted, email, retryAfter: error.retryAfter ?? 1 });
  }
};

interface Given {
  readonly email: string;
  readonly password: string;
}

function readGiven(fields: URLSearchParams): Given | { readonly problems: Problems } {
  const email = emailIn(fields);
  const password = fields.get('password') ?? '';
  if (email !== undefined && password !== '') return { email, password };
  return {
    problems: {
      ...(email === undefined ? { email: EMAIL_PROBLEM } : {}),
      ...(password === '' ? { password: 'Give your password.' } : {}),
    },
  };
}

/** The person with this e-mail address and this password: one hash is made, whether there is one or not. */
async function recognise(
  exchange: Exchange,
  { people }: Asked,
  { email, password }: Given,
): Promise<UserRow | undefined> {
  const { store, ports } = exchange.app.services;
  const attempt = countAttempt(exchange, email);
  const user = await findUserByEmail(store.db, email);
  const stored = user?.suspended_at === null ? user.password_hash : null;
  if (!(await people.passwords.verify(password, stored)) || user === undefined) {
    noteRefused(exchange, 'password', user === undefined ? undefined : holderOfUser(user.id));
    return undefined;
  }
  attempt.forgive();
  if (stored === null || !people.passwords.isOld(stored)) return user;
  const password_hash = await people.passwords.hash(password);
  const isKept = await renewPassword(store.db, user, { password_hash, updated_at: nowOf(ports.clock) });
  if (isKept) return { ...user, password_hash };
  // Somebody else was first: the same form sent twice, or a new password, which this one has to be then.
  const now = await findUserByEmail(store.db, email);
  return (await people.passwords.verify(password, now?.password_hash ?? null)) ? now : undefined;
}

const MINUTE_SECONDS = 60;

function tooOften(
  exchange: Exchange,
  asked: Asked,
  {
    retryAfter,
    ...shown
  }: { readonly wanted: string | null; readonly email: string; readonly retryAfter: number },
): Promise<void> {
  const minutes = Math.ceil(retryAfter / MINUTE_SECONDS);
  exchange.res.setHeader('Retry-After', String(retryAfter));
  const wait = `Too many sign-ins failed. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or have a link sent to you under “Forgotten your password?”.`;
  return show(exchange, asked, { ...shown, problems: { '': wait }, status: 429 });
}

const signOut: Answer = async (exchange) => {
  const signed = await signedIn(exchange);
  if (signed !== undefined) {
    await formOf(exchange);
    await endSession(exchange, signed);
  }
  leadOn(exchange, '/sign-in');
};

export const signInRoutes: readonly PageRoute[] = [
  { path: '/sign-in', get, post },
  { path: '/sign-out', post: signOut },
];
