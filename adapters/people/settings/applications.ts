import { isFields } from '../../../tools/core/schemas/checks.ts';
import { callAs } from '../calling.ts';
import { field } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { allAs, submitAs } from './calling.ts';
import {
  deedForm,
  isAdmin,
  permissionBoxes,
  permissionsIn,
  recordsIn,
  shownNameOf,
  shownOnce,
  textIn,
  timeIn,
} from './credential-parts.ts';
import type { Before, Outcome, Section, SettingsVisit } from './section.ts';

type Record = Readonly<{ [name: string]: unknown }>;

/** Backends of the organization that get tokens of their own. */
export const applications: Section = {
  name: 'applications',
  title: 'Applications',
  notices: {
    deleted: 'The application is deleted: its tokens are refused from now on.',
    ended: 'The secret is ended.',
  },
  isFor: isAdmin,
  render,
  post: (visit, fields) => (deeds[fields.get('do') ?? ''] ?? create)(visit, fields),
};

async function render(visit: SettingsVisit, { problems, typed }: Before): Promise<Html> {
  const { path, field: token } = visit;
  const { records: list, more } = await allAs(visit, 'm2m_application_list', { name: 'applications' });
  const shown = await Promise.all(
    list.map(async (one) => {
      const { application } = await callAs(visit, 'm2m_application_get', { id: textIn(one, 'id') });
      return sheetOf(visit, isFields(application) ? application : one);
    }),
  );
  return html`<p>Deployed backends that ask for short-lived tokens with a client id and a secret (OAuth 2.0 client credentials).</p>
${shown}${more}
<section class="sheet" aria-labelledby="new-application">
<h2 id="new-application">New application</h2>
<form method="post" action="${path}">${token}<input type="hidden" name="do" value="create">
${field({ name: 'name', label: 'Name', value: typed.get('name') ?? '', autocomplete: 'off', problems })}
${permissionBoxes(visit)}
<button>Create application</button></form>
</section>`;
}

function sheetOf(visit: SettingsVisit, application: Record): Html {
  const id = textIn(application, 'id');
  const name = textIn(application, 'name');
  const secrets = recordsIn(application, 'secrets').map(
    (secret) =>
      html`<li><div><p class="what">${textIn(secret, 'secretHint')}</p><p class="meta">made ${timeIn(secret, 'createdAt')} · last token ${timeIn(secret, 'lastUsedAt')} · token first used ${timeIn(secret, 'tokenUsedAt', 'not yet')}</p></div>${deedForm(visit, { deed: 'end-secret', fields: { id, secretId: textIn(secret, 'id') }, label: 'End secret', about: textIn(secret, 'secretHint') })}</li>`,
  );
  return html`<section class="sheet" aria-label="${name}">
<h2>${shownNameOf(application)}</h2>
<p class="meta">Client id <code>${textIn(application, 'clientId')}</code> · ${permissionsIn(application)}</p>
<ul class="list">${secrets}</ul>
${deedForm(visit, { deed: 'secret', fields: { id }, label: 'New secret', about: `for ${name}` })}
${deedForm(visit, { deed: 'delete', fields: { id }, label: 'Delete', about: name, look: 'danger' })}
</section>`;
}

type Deed = (visit: SettingsVisit, fields: URLSearchParams) => Promise<Outcome>;

const create: Deed = (visit, fields) => {
  const input = { name: fields.get('name') ?? '', permissions: fields.getAll('permissions') };
  return submitAs(visit, { tool: 'm2m_application_create', input }, (made) => ({
    once: shownOnce('Your new application.', [
      ['Client id', isFields(made['application']) ? textIn(made['application'], 'clientId') : ''],
      ['Client secret', textIn(made, 'clientSecret')],
      ['Token endpoint', textIn(made, 'tokenEndpoint')],
      ['Resource', textIn(made, 'resource')],
    ]),
  }));
};

const deeds: Readonly<{ [name: string]: Deed }> = {
  secret: (visit, fields) =>
    submitAs(visit, { tool: 'm2m_secret_create', input: { id: fields.get('id') ?? '' } }, (made) => ({
      once: shownOnce('Your new secret.', [['Client secret', textIn(made, 'clientSecret')]]),
    })),
  'end-secret': (visit, fields) => {
    const input = { id: fields.get('id') ?? '', secretId: fields.get('secretId') ?? '' };
    return submitAs(visit, { tool: 'm2m_secret_delete', input }, () => ({ done: 'ended' }));
  },
  delete: (visit, fields) =>
    submitAs(visit, { tool: 'm2m_application_delete', input: { id: fields.get('id') ?? '' } }, () => ({
      done: 'deleted',
    })),
};
