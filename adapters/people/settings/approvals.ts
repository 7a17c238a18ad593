import { isFields } from '../../../tools/core/checks.ts';
import { callAs } from '../calling.ts';
import { foreign, type Html, html, plainText } from '../html.ts';
import { submitAs } from './calling.ts';
import { deedForm, isAdmin, recordsIn, textIn, timeIn } from './credential-parts.ts';
import type { Outcome, Section, SettingsVisit } from './section.ts';

type Record = Readonly<{ [name: string]: unknown }>;

const REASON_MAX = 300;
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
    const input = { approvalId: fields.get('id') ?? '' };
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
  const found = await callAs(visit, 'spend_approval_list', { status: 'pending', take: 100 });
  const rows = recordsIn(found, 'items').map((one) => rowOf(visit, one));
  return html`<section class="sheet" aria-labelledby="waiting">
<h2 id="waiting">Spends that wait for somebody</h2>
<p>They are above the limit of your organization. Nobody can allow what they, or a key of theirs, asked for.</p>
${rows.length === 0 ? html`<p>Nothing waits.</p>` : html`<ul class="list">${rows}</ul>`}
</section>`;
}

function rowOf(visit: SettingsVisit, one: Record): Html {
  const id = textIn(one, 'approvalId');
  const [sum, held, limit] = ['amount', 'held', 'limit'].map((name) => sumIn(one, name));
  const campaign = textIn(one, 'campaignName') || textIn(one, 'campaignId');
  const about = `${sum} for ${plainText(campaign)}`;
  const reason = textIn(one, 'reason');
  const input = asked(one);
  const form = (deed: string, label: string, look: 'second' | 'danger') =>
    deedForm(visit, { deed, fields: { id }, label, about, look });
  return html`<li><div><p class="what">${sum} for ${foreign(campaign)} of ${foreign(textIn(one, 'advertiserName'))}</p>
<p class="meta">The campaign holds ${held} now, and ${sum} with it; above ${limit} somebody is asked.${sellersIn(one)}</p>
<p class="meta">${textIn(one, 'operation')} of ${foreign(textIn(one, 'campaignId'))} · asked by ${foreign(textIn(one, 'askedBy'))} at ${timeIn(one, 'createdAt')} · until ${timeIn(one, 'expiresAt')}</p>${input === '' ? '' : html`<p class="meta">Asked for: <code>${foreign(input, INPUT_MAX)}</code></p>`}${reason === '' ? '' : html`<p class="meta">“${foreign(reason, REASON_MAX)}”</p>`}</div>
${form('approve', 'Approve', 'second')}${form('reject', 'Reject', 'danger')}</li>`;
}

function sumIn(one: Record, name: string): string {
  return `${String(one[name] ?? 0)} ${textIn(one, 'currency')}`;
}

/** The sellers that have media buys of it; those of orders that go out with it the campaign shows. */
function sellersIn({ sellerNames }: Record): Html {
  const names = Array.isArray(sellerNames) ? sellerNames.map(String) : [];
  return names.length === 0 ? html`` : html` Of ${foreign(names.join(', '), SAID_MAX)}.`;
}

/** What the call would change, as it was made; what the page says already is left out. */
function asked({ input }: Record): string {
  const said = isFields(input) ? Object.entries(input) : [];
  const rest = said.filter(([name, value]) => value !== false && !SAID_ALREADY.has(name));
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest));
}
