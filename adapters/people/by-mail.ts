import { findLink, type LinkPurpose, type OneUseLinkRow } from '../../store/unscoped/one-use-links.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { EMAIL_PROBLEM } from '../../tools/domain/email.ts';
import type { App } from '../http/app.ts';
import { countMailRequest } from './attempts.ts';
import { formOf, openField } from './browser.ts';
import { showUsedLink } from './choosing.ts';
import type { PageStatus } from './exchange.ts';
import { baseOf, type Exchange, sendPage } from './exchange.ts';
import { emailIn, field, type Problems, summary } from './fields.ts';
import { type Html, html } from './html.ts';
import { linkHash } from './links.ts';
import { returnField, withReturn } from './people.ts';

/** A page on which somebody gives an address, and has a link sent to it. */
interface ByMail {
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly label: string;
  readonly autocomplete: string;
  /** The way to who needs no link. */
  readonly back: string;
  /** What is said of the mail: the same, whoever has that address. */
  sent(email: string): Html;
  send(exchange: Exchange, email: string, wanted: string | null): void;
}

interface Shown {
  readonly wanted: string | null;
  readonly email?: string;
  readonly problems?: Problems;
  readonly status?: PageStatus;
}

/** Asks for the address. */
export async function askForAddress(exchange: Exchange, page: ByMail, shown: Shown): Promise<void> {
  const { wanted, email, problems = {}, status = 200 } = shown;
  const base = baseOf(exchange.app);
  const { label, autocomplete } = page;
  sendPage(exchange, {
    title: page.title,
    status,
    body: html`<h1>${page.heading}</h1>
<p class="lead">${page.lead}</p>
${summary(problems)}
<form method="post" action="${base}${page.path}" novalidate>
${await openField(exchange)}${returnField(wanted)}
${field({ name: 'email', label, type: 'email', value: email, autocomplete, problems, autofocus: true })}
<button>Send the link</button>
</form>
<ul class="links"><li><a href="${base}${withReturn('/sign-in', wanted)}">${page.back}</a></li></ul>`,
  });
}

/** Takes the address, and says that a mail is on its way. */
export async function takeAddress(exchange: Exchange, page: ByMail): Promise<void> {
  const fields = await formOf(exchange);
  const wanted = fields.get('return_to');
  const email = emailIn(fields);
  if (email === undefined) {
    const typed = fields.get('email') ?? '';
    const problems = { email: EMAIL_PROBLEM };
    return askForAddress(exchange, page, { wanted, email: typed, problems, status: 422 });
  }
  countMailRequest(exchange);
  page.send(exchange, email, wanted);
  sendPage(exchange, {
    title: 'Look into your mail',
    body: html`<h1>Look into your mail</h1>
<p class="lead">${page.sent(email)}</p>
<p>Nothing there after a few minutes? Look among unwanted mail, or <a href="${baseOf(exchange.app)}${withReturn(page.path, wanted)}">ask again</a>.</p>
${mailHint(exchange.app)}`,
  });
}

/** Says that a link of the page leads nowhere any more. */
export function sayOver(exchange: Exchange, { path }: Pick<ByMail, 'path'>): void {
  showUsedLink(exchange, html`<a href="${baseOf(exchange.app)}${path}">Have a new link sent</a>`);
}

/** The link that a page was opened by, as long as it is good. */
export async function linkBy(
  { app }: Pick<Exchange, 'app'>,
  purpose: LinkPurpose,
  token: string | null,
): Promise<OneUseLinkRow | undefined> {
  const { store, ports } = app.services;
  const hash = linkHash(token);
  return hash === undefined ? undefined : findLink(store.db, { hash, purpose, now: nowOf(ports.clock) });
}

/** Where mails are, as long as no server sends them: who tries the service out would wait for one in vain. */
export function mailHint({ config }: Pick<App, 'config'>): Html {
  if (config.mailUrl !== undefined) return html``;
  return html`<p class="hint">This service has no mail server yet. Whoever runs it finds the link with <code class="command">npm run rialto -- mail list</code>.</p>`;
}
