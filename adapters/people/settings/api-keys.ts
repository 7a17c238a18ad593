import { isFields } from '../../../tools/core/schemas/checks.ts';
import { field } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { allAs, submitAs } from './calling.ts';
import {
  deedForm,
  isAdmin,
  permissionBoxes,
  permissionsIn,
  shownNameOf,
  shownOnce,
  textIn,
  usedIn,
} from './credential-parts.ts';
import type { Before, Outcome, Section, SettingsVisit } from './section.ts';

/** The API keys of the organization that the person works in. */
export const apiKeys: Section = {
  name: 'keys',
  title: 'API keys',
  notices: { revoked: 'The key is revoked: it is refused from now on.' },
  isFor: isAdmin,
  render,
  post: (visit, fields) => (fields.get('do') === 'revoke' ? revoke(visit, fields) : create(visit, fields)),
};

async function render(visit: SettingsVisit, { problems, typed }: Before): Promise<Html> {
  const { path, field: token } = visit;
  const { records: keys, more } = await allAs(visit, 'org_api_key_list', { name: 'apiKeys' });
  const rows = keys.map(
    (key) =>
      html`<li><div><p class="what">${shownNameOf(key)}</p><p class="meta">${textIn(key, 'obfuscatedValue')} · ${permissionsIn(key)} · ${usedIn(key)}</p></div>${deedForm(visit, { deed: 'revoke', fields: { key_id: textIn(key, 'id') }, label: 'Revoke', about: textIn(key, 'name') })}</li>`,
  );
  return html`<section class="sheet" aria-labelledby="keys">
<h2 id="keys">API keys of this organization</h2>
<p>For scripts and backends. A key is shown once, when it is made, and belongs to the organization, not to you.</p>
${rows.length === 0 ? html`<p>There are no keys yet.</p>` : html`<ul class="list">${rows}</ul>`}${more}
</section>
<section class="sheet" aria-labelledby="new-key">
<h2 id="new-key">New key</h2>
<form method="post" action="${path}">${token}<input type="hidden" name="do" value="create">
${field({ name: 'name', label: 'Name', value: typed.get('name') ?? '', hint: 'What it is for, such as Nightly reports.', autocomplete: 'off', problems })}
${permissionBoxes(visit)}
<button>Create key</button></form>
</section>`;
}

function create(visit: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const input = { name: fields.get('name') ?? '', permissions: fields.getAll('permissions') };
  return submitAs(visit, { tool: 'org_api_key_create', input }, ({ apiKey }) => ({
    once: shownOnce('Your new key.', [['Key', isFields(apiKey) ? textIn(apiKey, 'value') : '']]),
  }));
}

function revoke(visit: SettingsVisit, fields: URLSearchParams): Promise<Outcome> {
  const input = { key_id: fields.get('key_id') ?? '' };
  return submitAs(visit, { tool: 'org_api_key_delete', input }, () => ({ done: 'revoked' }));
}
