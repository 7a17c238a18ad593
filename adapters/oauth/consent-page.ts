import type { Permission } from '../../store/api-keys.ts';
import { foreign, type Html, html } from '../people/html.ts';

/** What the page that asks says. */
export interface ConsentView {
  readonly action: string;
  readonly field: Html;
  readonly clientName: string;
  /** Where the program is called back: a host, or the scheme of a program on this device. */
  readonly leadsTo: string;
  /** The host of its own page, where it is known by a document. */
  readonly knownAs: string | undefined;
  readonly email: string;
  readonly places: readonly { readonly id: number; readonly name: string; readonly chosen: boolean }[];
  /** The sides of the service that the program would reach. */
  readonly sides: readonly Side[];
  readonly identity: readonly string[];
  /** Undefined: whatever the person holds. */
  readonly permissions: readonly Permission[] | undefined;
  readonly isNew: boolean;
  readonly isLoopback: boolean;
}

const IDENTITY: Readonly<Record<string, string>> = {
  profile: 'your name',
  email: 'your e-mail address',
  openid: 'that it is you',
};

/** A side of the service by its title, and what an organization has there. */
export interface Side {
  readonly title: string;
  readonly holds: string;
  readonly spends: boolean;
}

function wordsFor(permission: Permission, sides: readonly Side[]): string {
  const holds = sides.map((side) => side.holds).join(', ');
  const spends = sides.some((side) => side.spends) ? ', which can spend money' : '';
  return {
    'buyer:read': `Read what your organization has here: ${holds}.`,
    'buyer:write': `Make and change it${spends}.`,
    'buyer:admin': 'Delete, and change settings of the organization.',
    'account:admin': 'Manage billing, contracts and teams.',
  }[permission];
}

/** Asks a person whether a program may act for them. */
export function consentPage(view: ConsentView): Html {
  const name = foreign(view.clientName);
  return html`<h1>Connect ${name}?</h1>
<p>${name} asks to act for you, <strong>${foreign(view.email)}</strong>. Afterwards you are led to <strong>${foreign(view.leadsTo, 255)}</strong>${view.knownAs === undefined ? '' : html`; it says that it belongs to <strong>${foreign(view.knownAs, 255)}</strong>`}.</p>
${warnings(view)}
<form method="post" action="${view.action}">
${view.field}
${placeChoice(view)}
<p>It reaches <strong>${view.sides.map((side) => side.title).join(', ')}</strong>.</p>
<h2>It would be able to</h2>
<ul>
${(view.permissions ?? ALL).map((permission) => html`<li>${wordsFor(permission, view.sides)} <code>${permission}</code></li>`)}
${view.identity.length === 0 ? '' : html`<li>Know ${listed(view.identity)}.</li>`}
</ul>
${view.permissions === undefined ? html`<p>Never more than you may do yourself.</p>` : ''}
<fieldset>
<legend>How much</legend>
<label class="choice"><input type="radio" name="access" value="full" checked> All of the above</label>
<label class="choice"><input type="radio" name="access" value="read"> Read only: it can change nothing</label>
</fieldset>
<div class="buttons">
<button type="submit" name="answer" value="allow">Allow</button>
<button type="submit" name="answer" value="deny" class="second">Do not allow</button>
</div>
</form>`;
}

const ALL: readonly Permission[] = ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'];

function listed(identity: readonly string[]): string {
  return identity.flatMap((scope) => IDENTITY[scope] ?? []).join(', ');
}

function warnings({ isNew, isLoopback }: ConsentView): readonly Html[] {
  return [
    ...(isNew
      ? [
          html`<div class="note warn"><p>Nobody has connected this program here before, and anybody can give a program any name. Allow it only if you yourself have just begun to connect it.</p></div>`,
        ]
      : []),
    ...(isLoopback
      ? [
          html`<div class="note warn"><p>This program runs on your own device. Whatever else runs there could pass itself off as it.</p></div>`,
        ]
      : []),
  ];
}

/** An account below another is called by both names. */
const PLACE_MAX = 220;

function placeChoice({ places }: ConsentView): Html {
  const [only] = places;
  if (places.length === 1 && only !== undefined) {
    return html`<p>Organization: <strong>${foreign(only.name, PLACE_MAX)}</strong><input type="hidden" name="organization" value="${only.id}"></p>`;
  }
  return html`<label for="organization">Organization</label>
<select id="organization" name="organization" required>
${places.map(({ id, name, chosen }) => html`<option value="${id}"${chosen ? html` selected` : ''}>${name}</option>`)}
</select>`;
}
