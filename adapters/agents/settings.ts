import { type AgentRegistrationRow, listAgentsOf } from '../../store/unscoped/agent-registrations.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { endAgent } from '../../tools/domain/agents/identities.ts';
import { foreign, type Html, html } from '../people/html.ts';
import { shownTime } from '../people/moments.ts';
import type { Outcome, Section, SettingsVisit } from '../people/settings/section.ts';
import { workplacesOf } from '../people/workplaces.ts';
import { deskOf, visitorAt } from './reception.ts';

/** The agents that act for the person. */
export const agents: Section = {
  name: 'agents',
  title: 'Agents',
  notices: { ended: 'That agent can do nothing any more.' },
  render,
  post: end,
};

async function agentsOf({ exchange, signed }: SettingsVisit): Promise<AgentRegistrationRow[]> {
  const { store, ports } = exchange.app.services;
  return listAgentsOf(store.db, { userId: signed.user.id, now: nowOf(ports.clock) });
}

async function render(visit: SettingsVisit): Promise<Html> {
  const { exchange, signed, path, field } = visit;
  const rows = await agentsOf(visit);
  const places = await workplacesOf(exchange.app, signed.user.id);
  const placeOf = ({ claimed_organization_id: id }: AgentRegistrationRow) =>
    places.find((place) => place.id === id)?.name ?? 'an organization you have left';
  const item = (row: AgentRegistrationRow) => {
    const name = row.user_agent === '' ? 'An agent' : row.user_agent;
    return html`<li><div><p class="what">${foreign(name)}</p><p class="meta">for ${foreign(placeOf(row))} · claimed ${shownTime(row.claimed_at ?? row.created_at)} · until ${shownTime(row.expires_at)} unless it comes back</p></div><form method="post" action="${path}">${field}<input type="hidden" name="id" value="${row.id}"><button class="second" aria-label="End ${name}">End</button></form></li>`;
  };
  return html`<section class="sheet" aria-labelledby="agents">
<h2 id="agents">Agents that act for you</h2>
${rows.length === 0 ? html`<p>You have claimed no agent. One that asks you to gives you an address and waits for a code.</p>` : html`<ul class="list">${rows.map(item)}</ul>`}
</section>`;
}

async function end(visit: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const { exchange, signed } = visit;
  const rows = await agentsOf(visit);
  const own = rows.find(({ id }) => id === fields.get('id'));
  if (own !== undefined) {
    const visitor = visitorAt(exchange.app, exchange.req);
    await endAgent(deskOf(exchange.app), { visitor, id: own.id, person: signed.user });
  }
  return { done: 'ended' };
}
