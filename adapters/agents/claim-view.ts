import type { Permission } from '../../store/api-keys.ts';
import { foreign, type Html, html } from '../people/html.ts';
import { shownTime } from '../people/moments.ts';

/** What a person is shown of an agent that asks to act for them. Nothing that the agent says of itself is proven. */
export interface ClaimView {
  readonly action: string;
  /** What the form carries to show that our page sent it. */
  readonly field: Html;
  readonly token: string;
  readonly email: string;
  readonly agent: string;
  readonly ip: string;
  readonly askedAt: string;
  readonly registeredAt: string;
  readonly expiresAt: string;
  readonly scopes: readonly Permission[];
  readonly places: readonly { readonly id: number; readonly name: string; readonly isFirst: boolean }[];
  /** The agent registered from another address than it asks from now. */
  readonly hasMoved: boolean;
  readonly isConfirmed: boolean;
}

const SCOPES: Readonly<Record<Permission, string>> = {
  'buyer:read': 'Read what the organization has here: advertisers, campaigns, reports.',
  'buyer:write': 'Make and change it, which can spend money.',
  'buyer:admin': 'Delete, and change settings of the organization.',
  'account:admin': 'Manage billing, contracts and teams.',
};

const NAME_MAX = 120;
/** An account below another is called by both names. */
const PLACE_MAX = 220;

export function claimPage(view: ClaimView): Html {
  return html`<h1>An agent asks to act for you</h1>
<p class="lead">You are ${foreign(view.email)}.</p>
${advisories(view)}
<dl>
<dt>Agent</dt><dd>${view.agent === '' ? 'says nothing of itself' : foreign(view.agent, NAME_MAX)}</dd>
<dt>Asked from</dt><dd>${view.ip}</dd>
<dt>Asked</dt><dd>${shownTime(view.askedAt)}</dd>
<dt>Registered</dt><dd>${shownTime(view.registeredAt)}</dd>
</dl>
<h2>It would be able to</h2>
<ul>
${view.scopes.map((scope) => html`<li>${SCOPES[scope]} <code>${scope}</code></li>`)}
</ul>
<p>Never more than you may do yourself, and only as long as you belong to the organization.</p>
<p class="meta">This page is good until ${shownTime(view.expiresAt)}.</p>
<form method="post" action="${view.action}">
${view.field}<input type="hidden" name="claim_attempt_token" value="${view.token}">
${placeChoice(view.places)}
<div class="buttons">
<button name="decision" value="confirm">${view.isConfirmed ? 'Show another code' : 'Confirm and show the code'}</button>
<button name="decision" value="deny" class="second" formnovalidate>This is not my agent</button>
</div>
</form>`;
}

function advisories({ places, hasMoved, isConfirmed }: ClaimView): readonly Html[] {
  const isFirst = places.some((place) => place.isFirst);
  const note = (text: string) => html`<div class="note"><p>${text}</p></div>`;
  return [
    note('Confirm only if you have just asked an agent to connect, and read the code to nobody else.'),
    ...(isFirst
      ? [
          note(
            places.length === 1
              ? 'No agent has worked for this organization before.'
              : 'For some of these organizations no agent has worked before; they are marked.',
          ),
        ]
      : []),
    ...(hasMoved ? [note('It asks from another address than the one it registered from.')] : []),
    ...(isConfirmed
      ? [note('You have confirmed already. Another code takes the place of the one that you were shown.')]
      : []),
  ];
}

function placeChoice(places: ClaimView['places']): Html {
  const [only] = places;
  if (places.length === 1 && only !== undefined) {
    return html`<p>It works for <strong>${foreign(only.name, PLACE_MAX)}</strong>.<input type="hidden" name="organization_id" value="${only.id}"></p>`;
  }
  return html`<fieldset>
<legend>Organization that it works for</legend>
${places.map(
  ({ id, name, isFirst }) =>
    html`<label class="choice"><input type="radio" name="organization_id" value="${id}" required> ${foreign(name, PLACE_MAX)}${isFirst ? html` <span class="tag">first agent</span>` : ''}</label>`,
)}
</fieldset>`;
}

/** The code, once the person confirmed: the only place where it is ever shown. */
export function codePage({ code, expiresAt }: { readonly code: string; readonly expiresAt: string }): Html {
  return html`<h1>Read this code to your agent</h1>
<p class="secret spoken"><code>${code}</code></p>
<p>It is good once, until ${shownTime(expiresAt)}. Give it to the agent that sent you here, and to nobody who calls or writes to you.</p>`;
}

export function deniedPage(): Html {
  return html`<h1>The agent was turned away</h1>
<p>It cannot act for you. Nothing of yours was shown to it.</p>`;
}

export function overPage(): Html {
  return html`<h1>This link is over</h1>
<p>It was used, it expired, or there is a newer one. Ask your agent for another.</p>`;
}

export function wrongAccountPage({
  email,
  signOut,
}: {
  readonly email: string;
  readonly signOut: Html;
}): Html {
  return html`<h1>This is for another account</h1>
<div class="note bad"><p>You are signed in as ${foreign(email)}, and the agent asked somebody else.</p></div>
<p>Sign in with the e-mail address that you gave to the agent, or ask the agent for a link to this one.</p>
${signOut}`;
}

/** The link that is asked for here leads back to this page. */
export function unprovenPage({
  action,
  field,
  back,
  hint,
}: {
  readonly action: string;
  readonly field: Html;
  readonly back: string;
  readonly hint: Html;
}): Html {
  return html`<h1>Confirm your e-mail address first</h1>
<p>An agent can be placed only by somebody whose e-mail address is confirmed. The link that we send you leads back to this page. If you open one that you were sent before, open this page again.</p>
<form method="post" action="${action}">
${field}
<input type="hidden" name="do" value="verify">
<input type="hidden" name="return_to" value="${back}">
<button>Send me a link</button>
</form>
${hint}`;
}

export function homelessPage({
  signUp,
  expiresAt,
}: {
  readonly signUp: string;
  readonly expiresAt: string;
}): Html {
  return html`<h1>You belong to no organization yet</h1>
<p>An agent works for an organization. <a href="${signUp}">Set one up</a> or accept an invitation, then open this page again: it is good until ${shownTime(expiresAt)}.</p>`;
}
