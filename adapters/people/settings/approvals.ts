import { REASON_MAX } from '../../../tools/core/reasons.ts';
import { isFields } from '../../../tools/core/schemas/checks.ts';
import { firstFew } from '../../../tools/domain/counted.ts';
import { foreign, type Html, html, plainText } from '../html.ts';
import { allAs, submitAs } from './calling.ts';
import { deedForm, isAdmin, textIn, timeIn } from './credential-parts.ts';
import type { Outcome, Section, SettingsVisit } from './section.ts';

type Record = Readonly<{ [name: string]: unknown }>;

const WHY_MAX = 300;
/** Sellers and products that are named, and how much of each. */
const NAMED = 5;
const NAME_MAX = 60;
const INPUT_MAX = 1_000;
const SAID_ALREADY: ReadonlySet<string> = new Set(['campaignId', 'reason']);
/** Of what a seller says no more is shown. */
const SAID_MAX = 500;
const DEEDS: Readonly<{ [deed: string]: string }> = {
  approve: 'spend_approval_approve',
  reject: 'spend_approval_reject',
};

/** Spends above the limit of the organization, which wait for another person. */
export const approvals: Section = {
  name: 'approvals',
  title: 'Approvals',
  notices: {
    approve: 'It is allowed, and done: its orders or changes are with the sellers.',
    reject: 'It is rejected: nothing was done.',
  },
  isFor: (caller) => isAdmin(caller) && caller?.accounts.buyer !== null,
  render,
  post: (visit, fields) => {
    const deed = fields.get('do') === 'approve' ? 'approve' : 'reject';
    const reason = fields.get('reason')?.trim() ?? '';
    const input = { approvalId: fields.get('id') ?? '', ...(reason === '' ? {} : { reason }) };
    return submitAs(
      visit,
      { tool: DEEDS[deed] ?? '', input },
      (output) => refusedIn(output) ?? { done: deed },
    );
  },
};

/** Allowed, and refused by a seller: whoever released the money is told in its words. */
function refusedIn({ outcome }: Record): Outcome | undefined {
  if (!isFields(outcome) || outcome['success'] !== false) return undefined;
  const { problems } = outcome;
  const said = Array.isArray(problems)
    ? problems.map((one) => html`<li>${foreign(String(one), SAID_MAX)}</li>`)
    : [];
  return {
    once: html`<div class="note bad" role="alert"><p><strong>It is allowed, but not all of it came to be.</strong> What is still wanted has to be asked for again.</p><ul>${said}</ul></div>`,
  };
}

async function render(visit: SettingsVisit): Promise<Html> {
  const pending = { name: 'items', input: { status: 'pending' } };
  const { records: waiting, more } = await allAs(visit, 'spend_approval_list', pending);
  const rows = waiting.map((one) => rowOf(visit, one));
  return html`<section class="sheet" aria-labelledby="waiting">
<h2 id="waiting">Spends that wait for somebody</h2>
<p>They are above the limit of your organization. Nobody can allow what they, or a key of theirs, asked for.</p>
${rows.length === 0 ? html`<p>Nothing waits.</p>` : html`<ul class="list">${rows}</ul>`}${more}
</section>`;
}

function rowOf(visit: SettingsVisit, one: Record): Html {
  const id = textIn(one, 'approvalId');
  const [sum, held, limit] = ['amount', 'held', 'limit'].map((name) => sumIn(one, name));
  const campaign = textIn(one, 'campaignName') || textIn(one, 'campaignId');
  const about = `${sum} for ${plainText(campaign)}`;
  const reason = textIn(one, 'reason');
  const input = asked(one);
  const approving = deedForm(visit, { deed: 'approve', fields: { id }, label: 'Approve', about });
  const said = html`<input name="reason" type="text" maxlength="${REASON_MAX}" placeholder="Why not" aria-label="Why ${about} is rejected: whoever asked reads it">`;
  const rejecting = deedForm(visit, {
    deed: 'reject',
    fields: { id },
    label: 'Reject',
    about,
    look: 'danger',
    said,
  });
  return html`<li><div><p class="what">${sum} for ${foreign(campaign)} of ${foreign(textIn(one, 'advertiserName'))}</p>
<p class="meta">The campaign holds ${held} now, and ${sum} with it; above ${limit} somebody is asked.</p>${boughtIn(one)}
<p class="meta">${textIn(one, 'operation')} of ${foreign(textIn(one, 'campaignId'))} · asked by ${foreign(textIn(one, 'askedBy'))} at ${timeIn(one, 'createdAt')} · until ${timeIn(one, 'expiresAt')}</p>${input === '' ? '' : html`<p class="meta">Asked for: <code>${foreign(input, INPUT_MAX)}</code></p>`}${reason === '' ? '' : html`<p class="meta">“${foreign(reason, WHY_MAX)}”</p>`}</div>
${approving}${rejecting}</li>`;
}

function sumIn(one: Record, name: string): string {
  return `${String(one[name] ?? 0)} ${textIn(one, 'currency')}`;
}

/** Of whom it is bought, what, and when that runs. */
function boughtIn(one: Record): Html {
  const [sellers, products] = [namesIn(one, 'sellerNames'), namesIn(one, 'productNames')];
  if (sellers.length + products.length === 0) return html``;
  const { flightDates } = one;
  const flight = isFields(flightDates)
    ? html`, from ${timeIn(flightDates, 'startDate')} to ${timeIn(flightDates, 'endDate')}`
    : '';
  const total = Number(one['productCount'] ?? products.length);
  const what = firstFew(products, { most: NAMED, total, word: 'product' });
  const whom = firstFew(sellers, { most: NAMED, word: 'seller' });
  return html`<p class="meta">${foreign(what, SAID_MAX)} of ${foreign(whom, SAID_MAX)}${flight}.</p>`;
}

function namesIn(one: Record, name: string): string[] {
  const names = one[name];
  return Array.isArray(names) ? names.map((each) => plainText(String(each), NAME_MAX)) : [];
}

/** What the call would change, as it was made; what the page says already is left out. */
function asked({ input }: Record): string {
  const said = isFields(input) ? Object.entries(input) : [];
  const rest = said.filter(([name, value]) => value !== false && !SAID_ALREADY.has(name));
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest));
}
