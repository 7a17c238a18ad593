import { chooseOrganization } from '../../../store/unscoped/web-sessions.ts';
import { nowOf } from '../../../tools/core/moments.ts';
import { acceptInvitation, readInvitation } from '../../../tools/domain/organizations/invitations.ts';
import { actingPerson } from '../acting.ts';
import { formField, signedIn } from '../browser.ts';
import { baseOf, type Exchange, leadOn, requireSafePlace, sendPage } from '../exchange.ts';
import { foreign, html } from '../html.ts';
import type { Asked, PageRoute } from '../people.ts';
import { withReturn } from '../people.ts';
import { forForm, type Step } from './pages.ts';

/** Where the mail of an invitation leads. */
export const invitationPage: PageRoute = { path: '/invitations/:token', get: show, post: forForm(accept) };

async function show(exchange: Exchange, { params }: Asked): Promise<void> {
  requireSafePlace(exchange);
  const { store, ports } = exchange.app.services;
  const path = `/invitations/${encodeURIComponent(params['token'] ?? '')}`;
  const now = nowOf(ports.clock);
  const invited = await readInvitation({ db: store.db, now }, ports, params['token'] ?? '');
  const signed = await signedIn(exchange);
  const base = baseOf(exchange.app);
  const way =
    signed === undefined
      ? html`<p><a class="button" href="${base}${withReturn('/sign-in', path)}">Sign in</a></p>
<p><a href="${base}${withReturn('/sign-up', path)}">Create an account</a> with the address ${foreign(invited.email)}.</p>`
      : html`<form method="post" action="${base}${path}">${formField(exchange, signed.session)}<button>Accept</button></form>`;
  sendPage(exchange, {
    title: 'Invitation',
    body: html`<h1>You are invited</h1>
<p class="lead">${foreign(invited.organizationName)} invites ${foreign(invited.email)}, as ${invited.role}.</p>
${way}`,
  });
}

async function accept({ exchange, signed, asked }: Step): Promise<void> {
  const { digest } = exchange.app.services.ports;
  const deed = { user: signed.user, tool: 'invitation_accept', title: 'Accept an invitation' };
  const { organizationId } = await acceptInvitation(actingPerson(exchange, deed), {
    digest,
    user: signed.user,
    value: asked.params['token'] ?? '',
  });
  await chooseOrganization(exchange.app.services.store.db, { id: signed.session.id, organizationId });
  leadOn(exchange, '/settings/organizations?done=chosen');
}
