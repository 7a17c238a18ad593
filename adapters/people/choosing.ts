import type { Db } from '../../store/engine/db.ts';
import { endLinksOf, endLinksTo } from '../../store/unscoped/one-use-links.ts';
import { type UserRow, updateUser } from '../../store/unscoped/users.ts';
import { endWebSessions } from '../../store/unscoped/web-sessions.ts';
import { endActingFor } from '../../tools/domain/agents/ending.ts';
import { openField } from './browser.ts';
import type { PageStatus } from './exchange.ts';
import { baseOf, type Exchange, sendPage } from './exchange.ts';
import { field, nameIn, type Problems, summary } from './fields.ts';
import { type Html, html } from './html.ts';
import { passwordProblem } from './password-rules.ts';
import { returnField } from './people.ts';

/** A form in which somebody who came by a link chooses a password, and perhaps says who they are. */
interface Choosing {
  readonly title: string;
  readonly lead: Html;
  readonly path: string;
  readonly token: string;
  readonly button: string;
  /** Where they wanted to go, before they needed an account. */
  readonly wanted?: string | null;
  /** Filled in where it is shown at all. */
  readonly email?: string;
  readonly name?: string;
  /** Password managers keep the password under this address. */
  readonly account?: string;
  readonly problems?: Problems;
  readonly status?: PageStatus;
}

/** Shows the form of a link. */
export async function showChoosing(exchange: Exchange, shown: Choosing): Promise<void> {
  const { title, lead, path, token, button, email, name, account, problems = {}, status = 200 } = shown;
  const { wanted = null } = shown;
  sendPage(exchange, {
    title,
    status,
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${summary(problems)}
<form method="post" action="${baseOf(exchange.app)}${path}" novalidate>
${await openField(exchange)}
<input type="hidden" name="token" value="${token}">${returnField(wanted)}
${account === undefined ? '' : html`<input type="text" name="username" value="${account}" autocomplete="username" hidden>`}
${email === undefined ? '' : field({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username', problems })}
${name === undefined ? '' : field({ name: 'name', label: 'Your name', value: name, autocomplete: 'name', problems })}
${newPasswordField(problems)}
<button>${button}</button>
</form>`,
  });
}

/** What a new password ends, said before it is chosen. */
export const ENDS_WITH_IT =
  'Other browsers are signed out, and programs, agents and service tokens that act for you end.';

function newPasswordField(problems: Problems): Html {
  return field({
    name: 'password',
    label: 'New password',
    type: 'password',
    hint: 'At least 12 characters. A few words do well.',
    autocomplete: 'new-password',
    problems,
  });
}

/** Says that a link leads nowhere any more, and how to have another. */
export function showUsedLink(exchange: Exchange, again: Html): void {
  sendPage(exchange, {
    title: 'This link is over',
    status: 410,
    body: html`<h1>This link is over</h1>
<p class="lead">It was used already, or its time has passed.</p>
<p>${again}</p>`,
  });
}

/** Reads a name and a password that somebody chose. */
export function readChosen(
  fields: URLSearchParams,
  { email, asksName }: { readonly email: string; readonly asksName: boolean },
): { readonly name: string; readonly password: string; readonly problems: Problems } {
  const named = asksName ? nameIn(fields) : { name: '' };
  const name = 'name' in named ? named.name : '';
  const password = fields.get('password') ?? '';
  const problem = passwordProblem(password, [email, name]);
  return {
    name,
    password,
    problems: {
      ...('problem' in named ? { name: named.problem } : {}),
      ...(problem === undefined ? {} : { password: problem }),
    },
  };
}

/**
 * Gives a person a new password: every browser but one that may stay is signed out, programs, agents and service
 * tokens that act for them end, for somebody else may have let them in or made them, and no other link opens.
 */
export async function putPassword(
  tx: Db,
  user: Pick<UserRow, 'id' | 'email'>,
  { hash, now, butSession }: { readonly hash: string; readonly now: string; readonly butSession?: string },
): Promise<void> {
  await updateUser(tx, user.id, { password_hash: hash, updated_at: now });
  await endWebSessions(tx, {
    userId: user.id,
    now,
    ...(butSession === undefined ? {} : { butId: butSession }),
  });
  await endActingFor(tx, { userId: user.id, now });
  for (const purpose of ['reset', 'sign_up'] as const)
    await endLinksTo(tx, { email: user.email, purpose, now });
  await endLinksOf(tx, { userId: user.id, purposes: ['new_email'], now });
}
