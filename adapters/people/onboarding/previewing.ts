import { parseInput } from '../../../tools/core/validation.ts';
import { filePreview, previewChannels, previewForm } from '../../../tools/domain/admission/preview.ts';
import { organizationOfPerson } from '../../../tools/domain/organizations/known-organization.ts';
import { actingPerson } from '../acting.ts';
import { foreign, type Html, html } from '../html.ts';
import { type Again, choice, line, type Step, sendStep, tick } from './pages.ts';

/** The fields of the preview form. The company is filled in for who has shown that they are of its domain. */
export async function previewFormFor({ exchange, signed }: Step, again: Again): Promise<Html> {
  const known = await organizationOfPerson(exchange.app.services.store.db, signed.user);
  const company = again.typed ?? new URLSearchParams({ company: known?.name ?? '' });
  const channels = previewChannels.map((name) =>
    tick({ name: 'channels', value: name, label: CHANNELS[name] ?? name.replaceAll('_', ' ') }, again),
  );
  return html`${line({ name: 'first_name', label: 'First name' }, again)}${line({ name: 'last_name', label: 'Last name' }, again)}
${line({ name: 'company', label: 'Company' }, { typed: company })}
${choice({ name: 'role', label: 'We are', of: SIDES }, again)}
${line({ name: 'markets', label: 'Countries you plan', hint: 'Two letters each, such as US, FR.' }, again)}
<fieldset><legend>Channels you plan</legend>${channels}</fieldset>
${line({ name: 'pilot_budget', label: 'Budget of a pilot', hint: 'Roughly, in words.' }, again)}
${choice({ name: 'pilot_timing', label: 'A pilot could begin', of: TIMES }, again)}
<fieldset><legend>About you</legend>
${tick({ name: 'self_service_experience', value: 'yes', label: 'We have bought advertising by ourselves before.' }, again)}
${tick({ name: 'prelaunch_willing', value: 'yes', label: 'We would test a product before its launch.' }, again)}</fieldset>`;
}

/** Those whose names are no words. */
const CHANNELS: Readonly<Record<string, string>> = {
  olv: 'online video (OLV)',
  ctv: 'connected TV (CTV)',
  linear_tv: 'linear TV',
  dooh: 'digital out-of-home (DOOH)',
  ooh: 'out-of-home (OOH)',
};

const SIDES = [
  ['brand', 'a brand'],
  ['agency', 'an agency'],
] as const;

const TIMES = [
  ['ready_now', 'now'],
  ['one_to_three_months', 'in one to three months'],
  ['later', 'later'],
] as const;

/** Files the form, and says what becomes of it. */
export async function filed(step: Step, fields: URLSearchParams): Promise<void> {
  const { exchange, signed } = step;
  const text = (name: string) => fields.get(name) ?? undefined;
  const form = previewForm.parse(
    parseInput(
      { input: previewForm, effect: 'create' },
      {
        email: signed.user.email,
        first_name: text('first_name'),
        last_name: text('last_name'),
        company: text('company'),
        role: text('role'),
        intended_markets: (text('markets') ?? '').split(/[\s,;]+/).filter((code) => code !== ''),
        intended_channels: fields.getAll('channels'),
        pilot_budget: text('pilot_budget'),
        pilot_timing: text('pilot_timing'),
        self_service_experience: fields.has('self_service_experience'),
        prelaunch_willing: fields.has('prelaunch_willing'),
      },
    ),
  );
  const deed = { user: signed.user, tool: 'signup_preview', title: 'Ask for a preview' };
  const { request } = await filePreview(actingPerson(exchange, deed), form, signed.user);
  const outcome =
    request.route === 'solutions_review'
      ? html`<p class="lead">A pilot runs where you plan to buy. We look at what you wrote, and write to ${foreign(form.email)}.</p>`
      : html`<p class="lead">You are on the launch list${form.intended_markets.length === 0 ? '' : html` for ${form.intended_markets.join(', ')}`}. We write to ${foreign(form.email)} once it begins there.</p>`;
  sendStep(step, { title: 'Thank you', body: html`<h1>Thank you</h1>${outcome}` });
}
