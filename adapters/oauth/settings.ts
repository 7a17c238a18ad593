import { fromFlag, fromJson } from '../../store/engine/codec.ts';
import { listLiveGrantsOf } from '../../store/unscoped/oauth.ts';
import { namesOf } from '../../tools/core/audit.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { programKind } from '../../tools/domain/organizations/kinds.ts';
import { endAccess } from '../../tools/domain/organizations/programs.ts';
import { givenBy, scopesIn } from '../auth/scopes.ts';
import { clientIp } from '../http/client-ip.ts';
import { requestIdOf } from '../http/visit.ts';
import { foreign, type Html, html, plainText } from '../people/html.ts';
import { shownTime } from '../people/moments.ts';
import type { Outcome, Section, SettingsVisit } from '../people/settings/section.ts';
import { actorFor } from './deeds.ts';

/** Hosts register anew with every connection, so that somebody may have many. */
const SHOWN_MAX = 200;

/** The programs that act for the person. */
export const programs: Section = {
  name: 'programs',
  title: 'Programs',
  notices: { ended: 'That program can do nothing any more.', all: 'No program acts for you any more.' },
  render,
  post: end,
};

type Program = Awaited<ReturnType<typeof listLiveGrantsOf>>[number];

/** The latest of them, or the one with this id. */
function programsOf({ exchange, signed }: SettingsVisit, id?: string): Promise<Program[]> {
  const { store, ports } = exchange.app.services;
  const now = nowOf(ports.clock);
  return listLiveGrantsOf(store.db, { userId: signed.user.id, id, now, limit: SHOWN_MAX });
}

async function render(visit: SettingsVisit): Promise<Html> {
  const { path, field } = visit;
  const rows = await programsOf(visit);
  const item = (row: Program) => {
    const name = plainText(row.client_name);
    return html`<li><div><p class="what">${foreign(row.client_name)}</p><p class="meta">for ${foreign(row.organization_name)} · ${mayDo(row)} · allowed ${shownTime(row.created_at)} · until ${shownTime(row.expires_at)} unless it comes back</p></div><form method="post" action="${path}">${field}<input type="hidden" name="id" value="${row.id}"><button class="second" aria-label="Disconnect ${name}">Disconnect</button></form></li>`;
  };
  return html`<section class="sheet" aria-labelledby="programs">
<h2 id="programs">Programs that act for you</h2>
<p>Assistants and others that you let in. Each does what you may do yourself, or less.</p>
${rows.length === 0 ? html`<p>You have let no program in. One that asks you to leads you to a page of ours.</p>` : html`<ul class="list">${rows.map(item)}</ul>`}
${rows.length < SHOWN_MAX ? '' : html`<p>These are the latest ${SHOWN_MAX}. Others, where there are any, are shown once some of these are disconnected.</p>`}
${rows.length < 2 ? '' : html`<form method="post" action="${path}">${field}<button class="danger">Disconnect all programs</button></form>`}
</section>`;
}

function mayDo({ read_only, payload }: Program): string {
  if (fromFlag(read_only)) return 'reads only';
  const given = givenBy(scopesIn(fromJson(payload).openid.scope));
  return given === undefined ? 'whatever you may do' : given.join(', ');
}

/** One of them where the form names it, else all, also those that the page has no room for. */
async function end(visit: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const id = fields.get('id') ?? undefined;
  let rows: Program[];
  do {
    rows = await programsOf(visit, id);
    for (const row of rows) await disconnect(visit, row);
  } while (rows.length === SHOWN_MAX);
  return { done: id === undefined ? 'all' : 'ended' };
}

async function disconnect({ exchange, signed }: SettingsVisit, row: Program): Promise<void> {
  const { app, req } = exchange;
  const { id: userId } = signed.user;
  const actor = actorFor(app.services, {
    tool: 'oauth_grant_end',
    title: 'Disconnect a program',
    action: 'DELETE',
    kind: programKind,
    organizationId: row.organization_id,
    userId,
    credentialId: `user:${userId}`,
    names: namesOf(signed.user),
    requestId: requestIdOf(req),
    ip: clientIp(req, app.trustedProxies),
  });
  await endAccess(actor, row.id);
}
