import { makeTenant } from '../../../store/engine/scope.ts';
import { findOrganization } from '../../../store/organizations.ts';
import { owedTerms } from '../../../store/terms.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { nowOf } from '../../../tools/core/moments.ts';
import { inForce, isDirectAdmin } from '../../../tools/domain/organizations/terms.ts';
import { formField } from '../browser.ts';
import { callAs, callerAt } from '../calling.ts';
import { baseOf, leadOn } from '../exchange.ts';
import { foreign, type Html, html } from '../html.ts';
import type { PageRoute } from '../people.ts';
import { forForm, forSignedIn, link, problemNote, type Step, sendStep } from './pages.ts';

/** Where the terms are read, and accepted by who may. */
export const termsPage: PageRoute = {
  path: '/terms',
  get: forSignedIn((step) => show(step, { isDone: step.asked.query.get('done') !== null })),
  post: forForm(accept),
};

async function show(
  step: Step,
  { error, isDone = false }: { readonly error?: AppError; readonly isDone?: boolean } = {},
): Promise<void> {
  const { store, ports } = step.exchange.app.services;
  const { version, url } = await inForce(store.db, nowOf(ports.clock));
  const read =
    url === null
      ? html`<p>Ask whoever runs this service for the text of version ${version}.</p>`
      : html`<p><a href="${url}" rel="noreferrer">Read version ${version} of the terms</a></p>`;
  sendStep(step, {
    title: 'Terms of service',
    status: error?.status ?? 200,
    body: html`<h1>Terms of service</h1>
<p class="lead">Version ${version} is in force. One acceptance counts for an organization and all accounts below it.</p>
${problemNote(error)}${isDone ? html`<div class="note good" role="status"><p>Your organization has accepted the terms.</p></div>` : ''}
${read}
${await deedFor(step, version)}`,
  });
}

/** What whoever reads the page can do about it, where the organization they work in has not accepted. */
async function deedFor(step: Step, version: string): Promise<Html> {
  const { exchange, signed } = step;
  const organizationId = signed.session.chosen_organization_id;
  if (organizationId === null)
    return html`<p>${link(step, '/settings/organizations', 'Choose the organization to accept them for')}</p>`;
  const { store, ports } = exchange.app.services;
  const owed = await owedTerms(store.db, makeTenant(organizationId), nowOf(ports.clock));
  if (owed === undefined) return html`<p>${link(step, '/settings', 'Go on to your settings')}</p>`;
  const governing = makeTenant(owed.organizationId);
  if (!(await isDirectAdmin(store.db, governing, signed.user.id))) {
    const { name } = (await findOrganization(store.db, governing)) ?? {};
    return html`<p>Only an administrator of ${foreign(name ?? '')} can accept them: ask one to open this page.</p>`;
  }
  return html`<form method="post" action="${baseOf(exchange.app)}/terms">${formField(exchange, signed.session)}
<input type="hidden" name="version" value="${version}">
<button>Accept for my organization</button></form>`;
}

async function accept(step: Step, fields: URLSearchParams): Promise<void> {
  const { exchange, signed } = step;
  const caller = await callerAt(exchange, signed);
  if (caller === null) return leadOn(exchange, '/settings/organizations');
  const version = fields.get('version');
  try {
    await callAs({ exchange, caller }, 'accept_tos', version === null ? {} : { version });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return show(step, { error });
  }
  leadOn(exchange, '/terms?done=1');
}
