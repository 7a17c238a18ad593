import { hasPermission } from '../../../tools/core/access.ts';
import type { Caller } from '../../../tools/core/context.ts';
import { isFields } from '../../../tools/core/schemas/checks.ts';
import { foreign, type Html, html } from '../html.ts';
import { shownTime } from '../moments.ts';
import type { SettingsVisit } from './section.ts';

type Record = Readonly<{ [name: string]: unknown }>;

export function isAdmin(caller: Caller | null): boolean {
  return caller !== null && hasPermission(caller, 'buyer:admin');
}

/** The records of a list. */
export function recordsIn(output: Record, name: string): readonly Record[] {
  const list = output[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

export function textIn(record: Record, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

/** A moment in words; what stands for one that never was. */
export function timeIn(record: Record, name: string, never = 'never'): Html {
  const moment = textIn(record, name);
  return moment === '' ? html`${never}` : shownTime(moment);
}

/** When a key was used last, in words. */
export function usedIn(record: Record): Html {
  return textIn(record, 'lastUsedAt') === ''
    ? html`never used`
    : html`last used ${timeIn(record, 'lastUsedAt')}`;
}

export function permissionsIn(record: Record): string {
  const { permissions } = record;
  return Array.isArray(permissions) ? permissions.join(', ') : '';
}

/** A secret, shown this once. */
export function shownOnce(title: string, facts: readonly (readonly [string, string])[]): Html {
  return html`<div class="note good" role="status"><p><strong>${title}</strong> Copy it now: it is not shown again.</p>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl></div>`;
}

interface Deed {
  /** What the form is for. */
  readonly deed: string;
  readonly fields: Readonly<{ [name: string]: string }>;
  readonly label: string;
  /** What it is about, for who does not see where the button stands. */
  readonly about: string;
  readonly look?: 'second' | 'danger';
  /** What can be said with it, in front of the button. */
  readonly said?: Html;
}

/** A form that is one button. */
export function deedForm(
  { path, field }: SettingsVisit,
  { deed, fields, label, about, look = 'second', said }: Deed,
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const row = said === undefined ? html`` : html` class="buttons"`;
  return html`<form method="post" action="${path}"${row}>${field}<input type="hidden" name="do" value="${deed}">${hidden}${said ?? html``}<button class="${look}" aria-label="${label} ${about}">${label}</button></form>`;
}

const CHOICES = [
  ['buyer:read', 'Read campaigns, advertisers and reports'],
  ['buyer:write', 'Make and change them'],
  ['buyer:admin', 'Delete, settings and people'],
  ['account:admin', 'Billing, contracts and teams'],
] as const;

/** What a new credential is to open: nothing that the person does not hold. */
export function permissionBoxes({ caller }: SettingsVisit): Html {
  const held = CHOICES.filter(([name]) => caller !== null && hasPermission(caller, name));
  return html`<fieldset><legend>What it opens</legend>${held.map(([name, label]) => html`<label class="choice"><input type="checkbox" name="permissions" value="${name}"${name === 'buyer:read' ? html` checked` : ''}> <span>${label} <span class="meta">${name}</span></span></label>`)}</fieldset>`;
}

export function shownNameOf(record: Record): Html {
  return foreign(textIn(record, 'name'));
}
