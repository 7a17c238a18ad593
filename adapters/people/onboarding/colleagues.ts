import { findJoinRequestOf } from '../../../store/domains.ts';
import { tenantOfRow } from '../../../store/engine/scope.ts';
import { findMember } from '../../../store/unscoped/people.ts';
import { chooseOrganization } from '../../../store/unscoped/web-sessions.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { askIn } from '../../../tools/domain/organizations/domains.ts';
import { knownOrganization } from '../../../tools/domain/organizations/known-organization.ts';
import { countSignIn } from '../../http/counted.ts';
import { actingPerson } from '../acting.ts';
import { formField } from '../browser.ts';
import { baseOf, leadOn } from '../exchange.ts';
import { foreign, type Html, html } from '../html.ts';
import type { PageRoute } from '../people.ts';
import { forForm, forSignedIn, link, problemNote, type Step, sendStep } from './pages.ts';

const PATH = '/start/organization';

/** Where a person comes into the organization of their e-mail domain, as that lets people in. */
export const colleaguesPage: PageRoute = {
  path: PATH,
  get: forSignedIn((step) => show(step)),
  post: forForm(ask),
};

/** How a person stands to the organization of their e-mail domain; undefined where there is none to know of. */
async function standing({ exchange, signed }: Step) {
  const { db } = exchange.app.services.store;
  const known = await knownOrganization(db, signed.user);
  if (known === undefined) return undefined;
  const tenant = tenantOfRow(known);
  const place = { userId: signed.user.id, organizationId: known.organization_id };
  const isMember = (await findMember(db, place)) !== undefined;
  const request = await findJoinRequestOf(db, tenant, signed.user.id);
  return { name: known.name, policy: known.policy, isMember, hasAsked: request?.status === 'pending' };
}

/** The way there, for who could be let in and is not in yet. */
export async function colleaguesWay(step: Step): Promise<Html> {
  const found = await standing(step);
  if (found === undefined || found.isMember) return html``;
  return html`<li><div><p class="what"><a href="${baseOf(step.exchange.app)}${PATH}">I work at ${foreign(found.name)}</a></p><p class="meta">Your e-mail address is of its domain.</p></div></li>`;
}

async function show(step: Step, error?: AppError): Promise<void> {
  const found = await standing(step);
  const heading = found === undefined ? html`Your organization` : foreign(found.name);
  sendStep(step, {
    title: 'Your organization',
    status: error?.status ?? 200,
    body: html`<h1>${heading}</h1>${problemNote(error)}${found === undefined ? nobody(step) : wayIn(step, found)}`,
  });
}

function nobody(step: Step): Html {
  const isProven = step.signed.user.email_verified_at !== null;
  return html`<p class="lead">${isProven ? 'No organization here has the domain of your e-mail address.' : html`Confirm your e-mail address first, ${link(step, '/settings/profile', 'in your settings')}.`}</p><p>${link(step, '/start', 'Back to the choice')}</p>`;
}

type Standing = NonNullable<Awaited<ReturnType<typeof standing>>>;

function wayIn(step: Step, { policy, isMember, hasAsked }: Standing): Html {
  const { exchange, signed } = step;
  if (isMember)
    return html`<p class="lead">You are in. ${link(step, '/settings/organizations', 'Work there')}.</p>`;
  if (hasAsked) {
    return html`<p class="lead">You have asked to come in. One of its administrators decides; then it is among ${link(step, '/settings/organizations', 'your organizations')}.</p>`;
  }
  if (policy === 'invitation_only') {
    return html`<p class="lead">It lets people in by invitation alone. Ask one of its administrators for one.</p>`;
  }
  const isOpen = policy === 'auto_approve';
  return html`<p class="lead">${isOpen ? 'It lets people of your e-mail domain in.' : 'One of its administrators decides who comes in.'}</p>
<form method="post" action="${baseOf(exchange.app)}${PATH}">${formField(exchange, signed.session)}
<button>${isOpen ? 'Join' : 'Ask to come in'}</button></form>`;
}

async function ask(step: Step): Promise<void> {
  const { exchange, signed } = step;
  countSignIn(exchange, 'signup');
  const deed = { user: signed.user, tool: 'join_request_create', title: 'Ask to join' };
  try {
    const { status, organizationId } = await askIn(actingPerson(exchange, deed), signed.user);
    if (status === 'requested') return leadOn(exchange, PATH);
    await chooseOrganization(exchange.app.services.store.db, { id: signed.session.id, organizationId });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return show(step, error);
  }
  leadOn(exchange, '/settings/organizations?done=chosen');
}
