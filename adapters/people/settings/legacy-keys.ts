import { type Html, html } from '../html.ts';
import { allAs, submitAs } from './calling.ts';
import { deedForm, isAdmin, permissionsIn, shownNameOf, textIn, timeIn, usedIn } from './credential-parts.ts';
import type { Section, SettingsVisit } from './section.ts';

/** Keys of the earlier kind: seen, and ended by administrators. */
export const legacyKeys: Section = {
  name: 'legacy-keys',
  title: 'Legacy keys',
  notices: { revoked: 'The key is revoked: it is refused from now on.' },
  isFor: (caller) => caller !== null,
  render,
  post: (visit, fields) => {
    const input = { id: fields.get('id') ?? '' };
    return submitAs(visit, { tool: 'legacy_key_delete', input }, () => ({ done: 'revoked' }));
  },
};

async function render(visit: SettingsVisit): Promise<Html> {
  const { records: keys, more } = await allAs(visit, 'legacy_key_list', { name: 'items' });
  const rows = keys.map((key) => {
    const isOver = textIn(key, 'revokedAt') !== '';
    const way = isOver
      ? html`<span class="tag">revoked</span>`
      : isAdmin(visit.caller)
        ? deedForm(visit, {
            deed: 'revoke',
            fields: { id: textIn(key, 'id') },
            label: 'Revoke',
            about: textIn(key, 'name'),
          })
        : '';
    return html`<li><div><p class="what">${shownNameOf(key)}</p><p class="meta">${textIn(key, 'obfuscatedValue')} · ${textIn(key, 'scope') === 'user' ? 'of a person' : 'of the account'} · ${permissionsIn(key)} · ${usedIn(key)} · ends ${timeIn(key, 'expiresAt', 'when it is revoked')}</p></div>${way}</li>`;
  });
  return html`<section class="sheet" aria-labelledby="legacy">
<h2 id="legacy">Legacy keys</h2>
<p>Keys of an earlier kind still work until they end. None is made or changed here; use API keys instead.</p>
${rows.length === 0 ? html`<p>There are none.</p>` : html`<ul class="list">${rows}</ul>`}${more}
</section>`;
}
