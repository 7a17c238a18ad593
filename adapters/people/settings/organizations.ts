import type { Role } from '../../../store/memberships.ts';
import { listPlaces } from '../../../store/unscoped/people.ts';
import { chooseOrganization } from '../../../store/unscoped/web-sessions.ts';
import { organizationKind } from '../../../tools/domain/organizations/kinds.ts';
import { ownLog } from '../../../tools/domain/organizations/own-log.ts';
import { actingPerson } from '../acting.ts';
import { baseOf } from '../exchange.ts';
import { foreign, type Html, html } from '../html.ts';
import { placeWords, workplacesOf } from '../workplaces.ts';
import { roleWords } from './role-words.ts';
import type { Outcome, Section, SettingsVisit } from './section.ts';

/** The organizations in which the person has a role, and the one they work in now. */
export const organizations: Section = {
  name: 'organizations',
  title: 'Organizations',
  notices: { chosen: 'You work in this organization now.' },
  render,
  post: choose,
};

async function render({ exchange, signed, path, field }: SettingsVisit): Promise<Html> {
  const { app } = exchange;
  const own = await listPlaces(app.services.store.db, signed.user.id);
  const now = signed.session.chosen_organization_id;
  const row = (words: string, role: Role, way: Html) =>
    html`<li><div><p class="what">${foreign(words, WORDS_MAX)}</p><p class="meta">${roleWords[role]}</p></div>${way}</li>`;
  const open = (await workplacesOf(app, signed.user.id)).map((place) => {
    const words = placeWords(place);
    const way =
      place.id === now
        ? html`<span class="tag">you work here now</span>`
        : html`<form method="post" action="${path}">${field}<input type="hidden" name="organization" value="${place.id}"><button class="second" aria-label="Work in ${words}">Work here</button></form>`;
    return row(words, place.role, way);
  });
  const suspended = own
    .filter(({ suspended_at }) => suspended_at !== null)
    .map(({ name, role }) => row(name, role, html`<span class="tag">suspended</span>`));
  const rows = [...open, ...suspended];
  return html`<section class="sheet" aria-labelledby="organizations">
<h2 id="organizations">Your organizations</h2>
${rows.length === 0 ? nowhereYet(baseOf(app)) : html`<ul class="list">${rows}</ul>`}
</section>`;
}

/** An account below another is called by both names. */
const WORDS_MAX = 220;

function nowhereYet(base: string): Html {
  return html`<p>You are in no organization yet. An administrator of one can invite you, or you <a href="${base}/start">begin with one of your own</a>.</p>`;
}

async function choose({ exchange, signed }: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const id = Number(fields.get('organization'));
  const places = await workplacesOf(exchange.app, signed.user.id);
  if (!places.some((place) => place.id === id)) {
    return { problems: { '': 'You have no role in that organization.' } };
  }
  const deed = { user: signed.user, tool: 'account_switch', title: 'Switch account' };
  const actor = actingPerson(exchange, deed);
  await actor.write((tx) => chooseOrganization(tx, { id: signed.session.id, organizationId: id }), {
    kind: organizationKind,
    resourceId: id,
    tenant: await ownLog(actor.db, id),
  });
  return { done: 'chosen' };
}
