import type { SignedIn } from '../auth/session.ts';
import { formField } from './browser.ts';
import { baseOf, type Exchange } from './exchange.ts';
import { foreign, type Html, html } from './html.ts';

const WHO_MAX = 40;

/** At the top of a page: who is signed in, and the way out. */
export function accountNav(exchange: Exchange, { session, user }: SignedIn): Html {
  const base = baseOf(exchange.app);
  return html`<span class="who">${foreign(user.email, WHO_MAX)}</span><form method="post" action="${base}/sign-out">${formField(exchange, session)}<button class="plain">Sign out</button></form>`;
}
