import type { z } from 'zod';
import { readAdmission } from '../../store/unscoped/admission.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { parseInput } from '../../tools/core/validation.ts';
import { joinBySellerLink, joinContext } from '../../tools/domain/admission/joining.ts';
import { filePreview, previewFields } from '../../tools/domain/admission/preview.ts';
import {
  availability,
  chooseStart,
  signUpBuyer,
  signUpStorefront,
  startsOf,
} from '../../tools/domain/admission/signup.ts';
import { askIn } from '../../tools/domain/organizations/domains.ts';
import { acceptInvitation } from '../../tools/domain/organizations/invitations.ts';
import { knownOrganization } from '../../tools/domain/organizations/known-organization.ts';
import type { MadeOrganization } from '../../tools/domain/organizations/organizations.ts';
import { inForce } from '../../tools/domain/organizations/terms.ts';
import type { App } from '../http/app.ts';
import type { Visit } from '../http/visit.ts';
import { chooseFor, chosenOrganization } from './choosing.ts';
import { forms } from './forms.ts';
import { actorFor, newcomerOf, requireNewcomer } from './newcomer.ts';

export interface Asked {
  readonly app: App;
  readonly visit: Visit;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Why, in the words of whoever asks: for the audit log. */
  readonly reason?: string | undefined;
}

export interface Answered {
  readonly status: number;
  readonly data: unknown;
}

function read<I extends z.ZodObject>(input: I, body: unknown): z.output<I> {
  return input.parse(parseInput({ input, effect: 'create' }, body));
}

/** What can be signed up for now. While plans are closed there is no word of them in it. */
export async function options({ app, visit }: Asked): Promise<Answered> {
  const { db } = app.services.store;
  const { buyers, storefront_accounts: storefronts } = await readAdmission(db);
  const newcomer = await newcomerOf(app, visit);
  const known = newcomer === undefined ? undefined : await knownOrganization(db, newcomer.user);
  const advertiser = buyers
    ? { isOpen: true, nextStep: 'organization' }
    : { isOpen: false, nextStep: 'preview', form: { fields: previewFields } };
  const storefront = storefronts
    ? {
        isOpen: true,
        termsVersion: (await inForce(db, nowOf(app.services.ports.clock))).version,
      }
    : { isOpen: false };
  const person =
    newcomer === undefined
      ? null
      : {
          email: newcomer.user.email,
          isEmailVerified: newcomer.user.email_verified_at !== null,
          knownOrganization: known === undefined ? null : { name: known.name, policy: known.policy },
        };
  return { status: 200, data: { advertiser, storefront, person } };
}

export async function emailAvailability({ app }: Asked): Promise<Answered> {
  return { status: 200, data: await availability(app.services.store.db) };
}

export async function preview(asked: Asked): Promise<Answered> {
  const { app, visit, body } = asked;
  const { website = '', ...form } = read(forms.preview, body);
  const newcomer = await newcomerOf(app, visit);
  const user = newcomer?.user;
  if (website !== '')
    return filed({ route: 'launch_list', launchCountries: form.intended_markets, name: null });
  const actor = actorFor(asked, { tool: 'signup_preview', title: 'Ask for a preview', user });
  const { request, organizationName } = await filePreview(actor, form, user);
  const launchCountries: readonly string[] = request.route === 'launch_list' ? form.intended_markets : [];
  return filed({ route: request.route, launchCountries, name: organizationName });
}

function filed(end: {
  readonly route: 'solutions_review' | 'launch_list';
  readonly launchCountries: readonly string[];
  readonly name: string | null;
}): Answered {
  return {
    status: 201,
    data: {
      ok: true,
      org_ref: end.name,
      qualification_route: end.route === 'launch_list' ? 'market_nurture' : end.route,
      outcome: end.route,
      launchCountries: end.launchCountries,
    },
  };
}

export async function buyer(asked: Asked): Promise<Answered> {
  const { app, visit, body } = asked;
  const { session, user } = await requireNewcomer(app, visit);
  const form = read(forms.organization, body);
  const { db } = app.services.store;
  if (!(await readAdmission(db)).buyers) {
    const data = { nextStep: 'preview', organization: null, form: { fields: previewFields } };
    return { status: 200, data };
  }
  const actor = actorFor(asked, { tool: 'signup_buyer', title: 'Sign up as a buyer', user });
  const made = await signUpBuyer(actor, user, form);
  await chooseFor(app, session, made.organization.id);
  const starts = await startsOf(db, made.organization.id);
  return { status: 201, data: { nextStep: 'start', ...shown(made), startingPoints: starts } };
}

export async function start(asked: Asked): Promise<Answered> {
  const { app, visit, body } = asked;
  const { session, user } = await requireNewcomer(app, visit);
  const { choice } = read(forms.start, body);
  const organizationId = await chosenOrganization(app, session);
  const actor = actorFor(asked, { tool: 'signup_start', title: 'Choose where to begin', user });
  const starts = await chooseStart(actor, { organizationId, userId: user.id, choice });
  return { status: 200, data: { startingPoints: starts } };
}

export async function storefront(asked: Asked): Promise<Answered> {
  const { app, visit, body } = asked;
  const { session, user } = await requireNewcomer(app, visit);
  const form = read(forms.storefront, body);
  const actor = actorFor(asked, { tool: 'signup_storefront', title: 'Sign up as a storefront', user });
  const made = await signUpStorefront(actor, user, form);
  await chooseFor(app, session, made.organization.id);
  return { status: 201, data: { ...shown(made), agreement: { termsVersion: form.termsVersion } } };
}

export async function invitation(asked: Asked): Promise<Answered> {
  const { app, visit, body } = asked;
  const { session, user } = await requireNewcomer(app, visit);
  const { token } = read(forms.invitation, body);
  const { digest } = app.services.ports;
  const actor = actorFor(asked, { tool: 'invitation_accept', title: 'Accept an invitation', user });
  const { organizationId, organizationName, role } = await acceptInvitation(actor, {
    digest,
    user,
    value: token,
  });
  await chooseFor(app, session, organizationId);
  return { status: 200, data: { organization: { id: organizationId, name: organizationName }, role } };
}

export async function linkContext({ app, params }: Asked): Promise<Answered> {
  const { store, ports } = app.services;
  const now = nowOf(ports.clock);
  return { status: 200, data: await joinContext(store.db, params['slug'] ?? '', now) };
}

export async function join(asked: Asked): Promise<Answered> {
  const { app, visit, params, body } = asked;
  const { session, user } = await requireNewcomer(app, visit);
  const form = read(forms.organization, body);
  const actor = actorFor(asked, { tool: 'signup_join', title: 'Join by the link of a seller', user });
  const joined = await joinBySellerLink(actor, user, { slug: params['slug'] ?? '', ...form });
  await chooseFor(app, session, joined.organization.id);
  const { storefrontName, status } = joined;
  return { status: 201, data: { ...shown(joined), storefrontName, status } };
}

export async function askToJoin(asked: Asked): Promise<Answered> {
  const { app, visit, body } = asked;
  const { session, user } = await requireNewcomer(app, visit);
  read(forms.nothing, body);
  const actor = actorFor(asked, { tool: 'join_request_create', title: 'Ask to join', user });
  const { status, organizationId, organizationName } = await askIn(actor, user);
  if (status === 'joined') await chooseFor(app, session, organizationId);
  return { status: 201, data: { status, organizationName } };
}

function shown({ organization, customers }: MadeOrganization) {
  return {
    organization: { id: organization.id, name: organization.name },
    accounts: customers.map(({ id, role }) => ({ id, role })),
  };
}
