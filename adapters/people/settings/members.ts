import { type Role, roles } from '../../../store/memberships.ts';
import { field } from '../fields.ts';
import { foreign, type Html, html, plainText } from '../html.ts';
import { allAs, submitAs } from './calling.ts';
import { deedForm, isAdmin, textIn, timeIn } from './credential-parts.ts';
import { roleWords } from './role-words.ts';
import type { Before, Outcome, Section, SettingsVisit } from './section.ts';

type Record = Readonly<{ [name: string]: unknown }>;

/** The people of the organization that the person works in, and who is invited. */
export const members: Section = {
  name: 'members',
  title: 'Members',
  notices: {
    role: 'The role is changed, at once and wherever the person is signed in.',
    removed: 'The person is out: whatever acted for them here is refused from now on.',
    invited: 'The invitation is on its way. It works once, within 7 days, for that address alone.',
    withdrawn: 'The invitation is taken back: its link leads nowhere any more.',
    approved: 'The person is in, as a member. Another role is given below.',
    declined: 'The request is declined. The person may ask again.',
  },
  isFor: isAdmin,
  render,
  post: (visit, fields) => (deeds[fields.get('do') ?? ''] ?? invite)(visit, fields),
};

async function render(visit: SettingsVisit, before: Before): Promise<Html> {
  const { records: people, more } = await allAs(visit, 'member_list', { name: 'members' });
  const { records: invited, more: moreInvited } = await allAs(visit, 'invitation_list', {
    name: 'invitations',
  });
  const waiting = { name: 'joinRequests', input: { status: 'pending' } };
  const { records: asking, more: moreAsking } = await allAs(visit, 'join_request_list', waiting);
  const own = people.find((person) => idOf(person) === String(visit.signed.user.id));
  const givable = roles.filter((role) => role !== 'SUPER_ADMIN' || textIn(own ?? {}, 'role') === role);
  return html`${asking.length === 0 ? '' : html`<section class="sheet" aria-labelledby="asking"><h2 id="asking">Asking to come in</h2><p>They have shown that they have an address of your domain.</p><ul class="list">${asking.map((one) => askingRow(visit, one))}</ul>${moreAsking}</section>`}<section class="sheet" aria-labelledby="members">
<h2 id="members">People of this organization</h2>
${people.length === 0 ? html`<p>Nobody has a role here itself: who works here has it from an organization above.</p>` : html`<ul class="list">${people.map((person) => rowOf(visit, person, givable))}</ul>${more}`}
</section>
${invited.length === 0 ? '' : html`<section class="sheet" aria-labelledby="invited"><h2 id="invited">Invited</h2><ul class="list">${invited.map((one) => invitedRow(visit, one))}</ul>${moreInvited}</section>`}
${inviting(visit, before, givable)}`;
}

function idOf(person: Record): string {
  return String(person['userId']);
}

function rowOf(visit: SettingsVisit, person: Record, givable: readonly Role[]): Html {
  const { path, field: token } = visit;
  const userId = idOf(person);
  const email = plainText(textIn(person, 'email'));
  const held = textIn(person, 'role');
  const isOwn = userId === String(visit.signed.user.id);
  const choices = roles.filter((role) => givable.includes(role) || role === held);
  return html`<li><div><p class="what">${foreign(textIn(person, 'name') || email)}${isOwn ? html` <span class="tag">you</span>` : ''}</p><p class="meta">${foreign(email)} · since ${timeIn(person, 'joinedAt')}</p></div>
<form method="post" action="${path}" class="buttons">${token}<input type="hidden" name="do" value="role"><input type="hidden" name="userId" value="${userId}">
<select name="role" aria-label="Role of ${email}">${options(choices, held)}</select>
<button class="second" aria-label="Change the role of ${email}">Change</button></form>
${deedForm(visit, { deed: 'remove', fields: { userId }, label: 'Remove', about: email, look: 'danger' })}</li>`;
}

function options(choices: readonly Role[], chosen: string): readonly Html[] {
  return choices.map(
    (role) =>
      html`<option value="${role}"${role === chosen ? html` selected` : ''}>${roleWords[role]}</option>`,
  );
}

function invitedRow(visit: SettingsVisit, invitation: Record): Html {
  const email = plainText(textIn(invitation, 'email'));
  const role = roles.find((one) => one === textIn(invitation, 'role'));
  return html`<li><div><p class="what">${foreign(email)}</p><p class="meta">${role === undefined ? '' : roleWords[role]} · until ${timeIn(invitation, 'expiresAt')}</p></div>${deedForm(visit, { deed: 'withdraw', fields: { id: textIn(invitation, 'id') }, label: 'Take back', about: `the invitation of ${email}` })}</li>`;
}

function askingRow(visit: SettingsVisit, request: Record): Html {
  const email = plainText(textIn(request, 'email'));
  const fields = { id: String(request['id']) };
  const about = `the request of ${email}`;
  return html`<li><div><p class="what">${foreign(textIn(request, 'name') || email)}</p><p class="meta">${foreign(email)} · asked ${timeIn(request, 'createdAt')}</p></div>${deedForm(visit, { deed: 'approve', fields, label: 'Let in', about })}${deedForm(visit, { deed: 'decline', fields, label: 'Decline', about, look: 'danger' })}</li>`;
}

function inviting(
  { path, field: token }: SettingsVisit,
  { problems, typed }: Before,
  givable: readonly Role[],
): Html {
  return html`<section class="sheet" aria-labelledby="invite">
<h2 id="invite">Invite somebody</h2>
<form method="post" action="${path}" novalidate>${token}<input type="hidden" name="do" value="invite">
${field({ name: 'email', label: 'E-mail', type: 'email', value: typed.get('email') ?? '', autocomplete: 'off', problems })}
<div class="field"><label for="role">Role</label><select id="role" name="role">${options(givable, typed.get('role') ?? 'MEMBER')}</select></div>
<button>Send the invitation</button></form>
</section>`;
}

type Deed = (visit: SettingsVisit, fields: URLSearchParams) => Promise<Outcome>;

const invite: Deed = (visit, fields) => {
  const input = { email: (fields.get('email') ?? '').trim(), role: fields.get('role') ?? '' };
  return submitAs(visit, { tool: 'invitation_create', input }, () => ({ done: 'invited' }));
};

/** Who takes the administration from themselves is led to where they may still be. */
function after({ signed }: SettingsVisit, userId: string, done: string): Outcome {
  return userId === String(signed.user.id) ? { to: '/settings/organizations' } : { done };
}

function decide(visit: SettingsVisit, fields: URLSearchParams, status: 'approved' | 'declined') {
  const input = { id: fields.get('id') ?? '', status };
  return submitAs(visit, { tool: 'join_request_update', input }, () => ({ done: status }));
}

const deeds: Readonly<{ [name: string]: Deed }> = {
  role: (visit, fields) => {
    const userId = fields.get('userId') ?? '';
    const input = { userId, role: fields.get('role') ?? '' };
    return submitAs(visit, { tool: 'member_update', input }, () => after(visit, userId, 'role'));
  },
  remove: (visit, fields) => {
    const userId = fields.get('userId') ?? '';
    return submitAs(visit, { tool: 'member_delete', input: { userId } }, () =>
      after(visit, userId, 'removed'),
    );
  },
  approve: (visit, fields) => decide(visit, fields, 'approved'),
  decline: (visit, fields) => decide(visit, fields, 'declined'),
  withdraw: (visit, fields) =>
    submitAs(visit, { tool: 'invitation_delete', input: { id: fields.get('id') ?? '' } }, () => ({
      done: 'withdrawn',
    })),
};
