import { readAdmission } from '../../../store/unscoped/admission.ts';
import { chooseOrganization } from '../../../store/unscoped/web-sessions.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { invalid } from '../../../tools/core/errors/refusals.ts';
import { nowOf } from '../../../tools/core/moments.ts';
import { refusedPlan } from '../../../tools/domain/admission/plans.ts';
import { signUpBuyer, signUpStorefront } from '../../../tools/domain/admission/signup.ts';
import { inForce } from '../../../tools/domain/organizations/terms.ts';
import { countSignIn } from '../../http/counted.ts';
import { actingPerson } from '../acting.ts';
import { formField } from '../browser.ts';
import { baseOf, leadOn } from '../exchange.ts';
import { type Html, html } from '../html.ts';
import type { PageRoute } from '../people.ts';
import { colleaguesWay } from './colleagues.ts';
import { companyIn } from './names.ts';
import { type Again, forForm, forSignedIn, line, link, problemNote, type Step, sendStep } from './pages.ts';
import { filed, previewFormFor } from './previewing.ts';

/** Where a person without an organization chooses what to be: a buyer or a seller. */
export const startPage: PageRoute = {
  path: '/start',
  get: forSignedIn(async (step) => {
    sendStep(step, {
      title: 'Begin',
      body: html`<h1>What brings you here?</h1>
<ul class="list">${await colleaguesWay(step)}<li><div><p class="what">${link(step, '/start/advertiser', 'I buy advertising')}</p><p class="meta">As a brand or an agency.</p></div></li>
<li><div><p class="what">${link(step, '/start/storefront', 'I sell advertising')}</p><p class="meta">With a storefront of your own.</p></div></li></ul>`,
    });
  }),
};

export const advertiserPage: PageRoute = {
  path: '/start/advertiser',
  get: forSignedIn((step) => showAdvertiser(step, {})),
  post: forForm(takeAdvertiser),
};

export const storefrontPage: PageRoute = {
  path: '/start/storefront',
  get: forSignedIn((step) => showStorefront(step, {})),
  post: forForm(takeStorefront),
};

const COMPANY = { name: 'name', label: 'Name of your company' } as const;

async function admissionOf({ exchange }: Step) {
  return readAdmission(exchange.app.services.store.db);
}

async function showAdvertiser(step: Step, again: Again): Promise<void> {
  const { exchange, signed } = step;
  const { buyers } = await admissionOf(step);
  const field = formField(exchange, signed.session);
  const fields = buyers ? line(COMPANY, again) : await previewFormFor(step, again);
  const lead = buyers
    ? 'Your company gets an account of its own, and you administer it.'
    : 'Buyers are let in by turns. Say what you plan, and you will hear from us.';
  sendStep(step, {
    title: 'Buy advertising',
    status: again.error?.status ?? 200,
    body: html`<h1>Buy advertising</h1><p class="lead">${lead}</p>${problemNote(again.error)}
<form method="post" action="${baseOf(exchange.app)}/start/advertiser">${field}${fields}<button>${buyers ? 'Create the account' : 'Send'}</button></form>`,
  });
}

async function takeAdvertiser(step: Step, fields: URLSearchParams): Promise<void> {
  await orAgain(step, fields, showAdvertiser, async () => {
    const { exchange, signed } = step;
    if (!(await admissionOf(step)).buyers) return filed(step, fields);
    const deed = { user: signed.user, tool: 'signup_buyer', title: 'Sign up as a buyer' };
    const { organization } = await signUpBuyer(actingPerson(exchange, deed), signed.user, {
      name: companyIn(fields),
    });
    await choose(step, organization.id);
    sendStep(step, { title: 'You are in', body: startingPoints(step) });
  });
}

/** Three ways to begin, all open at any time. */
function startingPoints(step: Step): Html {
  return html`<h1>You are in</h1><p class="lead">Begin as you like. All three ways stay open.</p>
<ul class="list"><li><div><p class="what">${link(step, '/settings', 'Work in the browser')}</p></div></li>
<li><div><p class="what">${link(step, '/docs', 'Build with the API')}</p></div></li>
<li><div><p class="what">${link(step, '/llms.txt', 'Connect an assistant')}</p></div></li></ul>
<p>Before anything is changed, ${link(step, '/terms', 'accept the terms of service')}.</p>`;
}

async function showStorefront(step: Step, again: Again): Promise<void> {
  const { exchange, signed } = step;
  const { store, ports } = exchange.app.services;
  const { storefront_accounts: storefronts } = await admissionOf(step);
  const { version, url } = await inForce(store.db, nowOf(ports.clock));
  const text =
    url === null
      ? html`version ${version} of the terms`
      : html`<a href="${url}" rel="noreferrer">version ${version} of the terms</a>`;
  const form = html`<form method="post" action="${baseOf(exchange.app)}/start/storefront">${formField(exchange, signed.session)}
${line(COMPANY, again)}
<input type="hidden" name="termsVersion" value="${version}">
<label class="choice"><input type="checkbox" name="accept" value="yes" required> <span>I accept ${text} for my company.</span></label>
<button>Create the account</button></form>`;
  sendStep(step, {
    title: 'Sell advertising',
    status: again.error?.status ?? 200,
    body: html`<h1>Sell advertising</h1>${problemNote(again.error)}
${storefronts ? form : html`<p class="lead">Storefront accounts are not open to everybody for now. Ask whoever runs this service for one.</p><p>${link(step, '/start', 'Back to the choice')}</p>`}`,
  });
}

async function takeStorefront(step: Step, fields: URLSearchParams): Promise<void> {
  await orAgain(step, fields, showStorefront, async () => {
    const { exchange, signed } = step;
    if (fields.get('accept') !== 'yes') throw invalid('accept', 'An account needs the terms to be accepted.');
    const deed = { user: signed.user, tool: 'signup_storefront', title: 'Sign up as a storefront' };
    const { organization } = await signUpStorefront(actingPerson(exchange, deed), signed.user, {
      name: companyIn(fields),
      termsVersion: fields.get('termsVersion') ?? '',
    });
    await choose(step, organization.id);
    leadOn(exchange, '/settings/organizations?done=chosen');
  });
}

async function choose({ exchange, signed }: Step, organizationId: number): Promise<void> {
  await chooseOrganization(exchange.app.services.store.db, { id: signed.session.id, organizationId });
}

/** Does it, or shows the form again with what was wrong. What speaks of plans is refused as it is over REST. */
// biome-ignore lint/complexity/useMaxParams: what was sent, and the two ways it can end.
async function orAgain(
  step: Step,
  fields: URLSearchParams,
  again: (step: Step, shown: Again) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  countSignIn(step.exchange, 'signup');
  try {
    const refused = refusedPlan(Object.fromEntries(fields), (await admissionOf(step)).plans);
    if (refused !== undefined) throw refused;
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await again(step, { error, typed: fields });
  }
}
