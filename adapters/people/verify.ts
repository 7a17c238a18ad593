import { useLink } from '../../store/unscoped/one-use-links.ts';
import { findUser, updateUser } from '../../store/unscoped/users.ts';
import { actingPerson, subjectOf } from './acting.ts';
import { formOf, openField } from './browser.ts';
import { linkBy } from './by-mail.ts';
import { showUsedLink } from './choosing.ts';
import { baseOf, type Exchange, leadOn, requireSafePlace, returnPath, sendPage } from './exchange.ts';
import { html } from './html.ts';
import type { Answer, PageRoute } from './people.ts';

function over(exchange: Exchange): void {
  showUsedLink(exchange, html`<a href="${baseOf(exchange.app)}/settings/profile">Have a new link sent</a>`);
}

/** A button, because programs that look through mail open every link in it. */
const get: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  const token = query.get('token');
  const link = await linkBy(exchange, 'verify', token);
  if (link === undefined) return over(exchange);
  sendPage(exchange, {
    title: 'Confirm your e-mail address',
    body: html`<h1>Confirm your e-mail</h1>
<p class="lead">Is <strong>${link.email}</strong> yours?</p>
<form method="post" action="${baseOf(exchange.app)}/verify">
${await openField(exchange)}
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="return_to" value="${returnPath(query.get('return_to')) ?? ''}">
<button>Yes, confirm it</button>
</form>`,
  });
};

const post: Answer = async (exchange) => {
  const fields = await formOf(exchange);
  const link = await linkBy(exchange, 'verify', fields.get('token'));
  const user = link?.user_id ? await findUser(exchange.app.services.store.db, link.user_id) : undefined;
  if (user === undefined || user.email !== link?.email) return over(exchange);
  const { hash } = link;
  const subject = await subjectOf(exchange, user);
  const actor = actingPerson(exchange, {
    user,
    tool: 'email_verify',
    title: 'Confirm an e-mail address',
  });
  const done = await actor.write(
    async (tx) => {
      const used = await useLink(tx, { hash, purpose: 'verify', now: actor.now });
      if (used === undefined) return false;
      await updateUser(tx, user.id, { email_verified_at: actor.now, updated_at: actor.now });
      return true;
    },
    (isDone) => (isDone ? subject : undefined),
  );
  if (!done) return over(exchange);
  const back = returnPath(fields.get('return_to'));
  if (back !== undefined) return leadOn(exchange, back);
  sendPage(exchange, {
    title: 'Confirmed',
    body: html`<h1>Confirmed</h1>
<p class="lead"><strong>${user.email}</strong> is yours.</p>
<p><a class="button" href="${baseOf(exchange.app)}/settings">Go on to your settings</a></p>`,
  });
};

export const verifyRoutes: readonly PageRoute[] = [{ path: '/verify', get, post }];
