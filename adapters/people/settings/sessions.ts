import { endWebSessions, listWebSessions, type WebSessionRow } from '../../../store/unscoped/web-sessions.ts';
import { nowOf } from '../../../tools/core/moments.ts';
import { actingPerson, subjectOf } from '../acting.ts';
import { foreign, type Html, html } from '../html.ts';
import { shownTime } from '../moments.ts';
import type { Outcome, Section, SettingsVisit } from './section.ts';

/** The browsers in which the person is signed in. */
export const sessions: Section = {
  name: 'sessions',
  title: 'Sessions',
  notices: { ended: 'That browser is signed out.', others: 'All other browsers are signed out.' },
  render,
  post: end,
};

async function render({ exchange, signed, path, field }: SettingsVisit): Promise<Html> {
  const { store, ports } = exchange.app.services;
  const idle = exchange.app.config.sessionIdleMs;
  const rows = await listWebSessions(store.db, signed.user.id, nowOf(ports.clock));
  const live = rows.filter(({ seen_at }) => Date.parse(seen_at) + idle > ports.clock.now());
  const others = live.filter(({ id }) => id !== signed.session.id);
  const own = live.find(({ id }) => id === signed.session.id);
  return html`<section class="sheet" aria-labelledby="browsers">
<h2 id="browsers">Where you are signed in</h2>
<ul class="list">
${own === undefined ? '' : html`<li><div>${about(own)}</div><span class="tag">this browser</span></li>`}
${others.map((row) => html`<li><div>${about(row)}</div><form method="post" action="${path}">${field}<input type="hidden" name="id" value="${row.id}"><button class="second" aria-label="Sign out ${browserOf(row.user_agent)}, ${row.ip}">Sign out</button></form></li>`)}
</ul>
${others.length === 0 ? '' : html`<form method="post" action="${path}">${field}<button class="danger">Sign out all other browsers</button></form>`}
</section>`;
}

function about({ user_agent, ip, seen_at, signed_in_at }: WebSessionRow): Html {
  return html`<p class="what">${browserOf(user_agent)}</p><p class="meta">${foreign(ip)} · signed in ${shownTime(signed_in_at)} · last seen ${shownTime(seen_at)}</p>`;
}

/** The order matters: most browsers say that they are others as well. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** What a browser says of itself, in words: `Firefox on Windows`. */
function browserOf(agent: string): string {
  const find = (known: readonly (readonly [string, RegExp])[]) =>
    known.find(([, shape]) => shape.test(agent))?.[0];
  return `${find(BROWSERS) ?? 'A browser'} on ${find(SYSTEMS) ?? 'an unknown system'}`;
}

async function end({ exchange, signed }: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const { user, session } = signed;
  const id = fields.get('id');
  const subject = await subjectOf(exchange, user);
  const actor = actingPerson(exchange, {
    user,
    tool: 'session_end',
    title: 'Sign out another browser',
  });
  const which = id === null ? { butId: session.id } : { id };
  await actor.write(
    (tx) => endWebSessions(tx, { userId: user.id, now: actor.now, ...which }),
    (ended) =>
      ended.length === 0
        ? undefined
        : subject && { ...subject, changes: { sessions: { from: ended, to: [] } } },
  );
  return { done: id === null ? 'others' : 'ended' };
}
