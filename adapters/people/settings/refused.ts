import { makeTenant } from '../../../store/engine/scope.ts';
import {
  listRefusedSignInsOf,
  type NamedRefusal,
  type RefusedKind,
} from '../../../store/unscoped/refused-sign-ins.ts';
import { foreign, type Html, html } from '../html.ts';
import { shownTime } from '../moments.ts';
import { isAdmin } from './credential-parts.ts';
import type { Section, SettingsVisit } from './section.ts';

const SHOWN = 100;

const WORDS: Readonly<Record<RefusedKind, string>> = {
  password: 'Wrong password',
  api_key: 'API key that has ended',
  token: 'Access token',
  credential: 'Credential of another kind',
  client_secret: 'Wrong secret of an application',
};

/** Credentials of the organization's people, keys and applications that were refused. */
export const refused: Section = {
  name: 'refused',
  title: 'Refused sign-ins',
  notices: {},
  isFor: isAdmin,
  render,
  post: async () => ({ to: '/settings/refused' }),
};

async function render({ exchange, caller }: SettingsVisit): Promise<Html> {
  const { db } = exchange.app.services.store;
  const rows =
    caller === null ? [] : await listRefusedSignInsOf(db, makeTenant(caller.organizationId), SHOWN);
  return html`<section class="sheet" aria-labelledby="refused">
<h2 id="refused">Refused in the last 30 days</h2>
<p>What was tried in the name of the people, keys and applications of this organization, counted by the hour.</p>
${rows.length === 0 ? html`<p>Nothing was refused.</p>` : html`<ul class="list">${rows.map(about)}</ul>`}
</section>`;
}

function about({ kind, name, network, count, last_at }: NamedRefusal): Html {
  const times = count === 1 ? 'once' : `${count} times`;
  return html`<li><div><p class="what">${WORDS[kind]}: ${foreign(name)}</p><p class="meta">${foreign(network)} · ${times} · last ${shownTime(last_at)}</p></div></li>`;
}
