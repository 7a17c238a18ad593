import { notFound } from '../../../tools/core/errors/refusals.ts';
import { callerForPerson } from '../../auth/member.ts';
import type { SignedIn } from '../../auth/session.ts';
import { accountNav } from '../account-nav.ts';
import { formField, formOf, signedIn } from '../browser.ts';

import type { PageStatus } from '../exchange.ts';
import { baseOf, type Exchange, leadOn, requireSafePlace, sendPage } from '../exchange.ts';
import { type Problems, summary } from '../fields.ts';
import { type Html, html } from '../html.ts';
import type { Answer, Asked, PageRoute } from '../people.ts';
import { withReturn } from '../people.ts';
import type { Before, Outcome, Section, SettingsVisit } from './section.ts';

const pageKind = { type: 'PAGE', word: 'page', lookUp: 'Begin at /settings.' };

interface Arrived {
  readonly visit: SettingsVisit;
  readonly section: Section;
  /** Those that are for this person. */
  readonly sections: readonly Section[];
}

/** The settings of whoever is signed in, put together from sections. */
export function settingsRoutes(all: readonly Section[]): readonly PageRoute[] {
  const get: Answer = async (exchange, asked) => {
    const arrived = await arrive(exchange, asked, all);
    if (arrived === undefined) return;
    const notice = arrived.section.notices[asked.query.get('done') ?? ''];
    const note =
      notice === undefined ? undefined : html`<div class="note good" role="status"><p>${notice}</p></div>`;
    await show(arrived, { note });
  };
  const post: Answer = async (exchange, asked) => {
    const arrived = await arrive(exchange, asked, all);
    if (arrived === undefined) return;
    const fields = await formOf(exchange);
    await finish(arrived, await arrived.section.post(arrived.visit, fields), fields);
  };
  return [
    { path: '/settings', get: async (exchange) => leadOn(exchange, `/settings/${all[0]?.name}`) },
    { path: '/settings/:section', get, post },
  ];
}

/** Whoever is not signed in is asked to, and comes back. */
async function arrive(
  exchange: Exchange,
  { people, params }: Asked,
  all: readonly Section[],
): Promise<Arrived | undefined> {
  requireSafePlace(exchange);
  const { app } = exchange;
  const name = params['section'] ?? '';
  const signed = await signedIn(exchange);
  if (signed === undefined) {
    leadOn(exchange, withReturn('/sign-in', `/settings/${name}`));
    return undefined;
  }
  const caller = await callerOf(exchange, signed);
  const sections = all.filter((section) => section.isFor?.(caller) ?? true);
  const section = sections.find((one) => one.name === name);
  if (section === undefined) throw notFound(pageKind);
  const path = `${baseOf(app)}/settings/${name}`;
  const visit = { exchange, people, signed, caller, path, field: formField(exchange, signed.session) };
  return { visit, section, sections };
}

async function callerOf({ app }: Exchange, { session, user }: SignedIn) {
  if (session.chosen_organization_id === null) return null;
  return callerForPerson(app.services, {
    kind: 'user',
    userId: user.id,
    organizationId: session.chosen_organization_id,
    principal: `user:${user.id}`,
    interactive: true,
    endsAt: Date.parse(session.expires_at),
  });
}

async function finish(arrived: Arrived, outcome: Outcome, fields: URLSearchParams): Promise<void> {
  const { exchange } = arrived.visit;
  if ('done' in outcome) return leadOn(exchange, `/settings/${arrived.section.name}?done=${outcome.done}`);
  if ('to' in outcome) return leadOn(exchange, outcome.to);
  if ('once' in outcome) return show(arrived, { note: outcome.once });
  const { problems, typed = fields } = outcome;
  await show(arrived, { problems, typed, status: 422 });
}

interface Shown {
  readonly note?: Html | undefined;
  readonly problems?: Problems;
  readonly typed?: URLSearchParams;
  readonly status?: PageStatus;
}

async function show({ visit, section, sections }: Arrived, shown: Shown): Promise<void> {
  const { note, problems = {}, typed = new URLSearchParams(), status = 200 } = shown;
  const { exchange, signed } = visit;
  const before: Before = { problems, typed };
  const base = baseOf(exchange.app);
  const tabs = sections.map(
    ({ name, title }) =>
      html`<li><a href="${base}/settings/${name}"${name === section.name ? html` aria-current="page"` : ''}>${title}</a></li>`,
  );
  const content = await section.render(visit, before);
  sendPage(exchange, {
    title: section.title,
    wide: true,
    status,
    nav: accountNav(exchange, signed),
    body: html`<h1>Settings</h1>
<nav aria-label="Settings"><ul class="tabs">${tabs}</ul></nav>
${note ?? ''}${summary(problems)}
${content}`,
  });
}
