import { chooseOrganization } from '../../../store/unscoped/web-sessions.ts';
import { AppError } from '../../../tools/core/errors/app-error.ts';
import { nowOf } from '../../../tools/core/moments.ts';
import { joinBySellerLink, joinContext } from '../../../tools/domain/admission/joining.ts';
import { countSignIn } from '../../http/counted.ts';
import { actingPerson } from '../acting.ts';
import { formField } from '../browser.ts';
import { baseOf, leadOn } from '../exchange.ts';
import { foreign, html } from '../html.ts';
import type { PageRoute } from '../people.ts';
import { companyIn } from './names.ts';
import { type Again, forForm, forSignedIn, line, problemNote, type Step, sendStep } from './pages.ts';

/** Where the link of a seller leads. */
export const joinPage: PageRoute = {
  path: '/join/:slug',
  get: forSignedIn((step) => show(step, {})),
  post: forForm(join),
};

async function show(step: Step, again: Again): Promise<void> {
  const { exchange, signed, asked } = step;
  const { store, ports } = exchange.app.services;
  const slug = asked.params['slug'] ?? '';
  const { valid, storefrontName } = await joinContext(store.db, slug, nowOf(ports.clock));
  const action = `${baseOf(exchange.app)}/join/${encodeURIComponent(slug)}`;
  const body = valid
    ? html`<h1>Buy from ${foreign(storefrontName ?? '')}</h1>
<p class="lead">Your company gets an account of its own that sees this seller, and no other.</p>
${problemNote(again.error)}
<form method="post" action="${action}">${formField(exchange, signed.session)}
${line({ name: 'name', label: 'Name of your company' }, again)}
<button>Join</button></form>`
    : html`<h1>This link leads nowhere</h1><p class="lead">It is over, or never was. Ask the seller for another one.</p>`;
  sendStep(step, { title: 'Join', status: valid ? (again.error?.status ?? 200) : 404, body });
}

async function join(step: Step, fields: URLSearchParams): Promise<void> {
  const { exchange, signed, asked } = step;
  countSignIn(exchange, 'signup');
  const deed = { user: signed.user, tool: 'signup_join', title: 'Join by the link of a seller' };
  try {
    const { organization } = await joinBySellerLink(actingPerson(exchange, deed), signed.user, {
      slug: asked.params['slug'] ?? '',
      name: companyIn(fields),
    });
    const chosen = { id: signed.session.id, organizationId: organization.id };
    await chooseOrganization(exchange.app.services.store.db, chosen);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return show(step, { error, typed: fields });
  }
  leadOn(exchange, '/terms');
}
