import { z } from 'zod';
import { readAdmission } from '../../store/admission.ts';
import { startingPoints } from '../../store/signups.ts';
import { parseInput } from '../../tools/core/validation.ts';
import { joinBySellerLink, joinContext } from '../../tools/domain/admission/joining.ts';
import {
  emailAddress,
  filePreview,
  previewFields,
  previewForm,
} from '../../tools/domain/admission/preview.ts';
import {
  availability,
  chooseStart,
  signUpBuyer,
  signUpStorefront,
  startsOf,
} from '../../tools/domain/admission/signup.ts';
import { askIn, knownOrganization } from '../../tools/domain/organizations/domains.ts';
import { acceptInvitation } from '../../tools/domain/organizations/invitations.ts';
import type { MadeOrganization } from '../../tools/domain/organizations/organizations.ts';
import { inForce } from '../../tools/domain/organizations/terms.ts';
import { shortText } from '../../tools/domain/text.ts';
import type { App } from '../http/app.ts';
import type { Visit } from '../http/visit.ts';
import { chooseFor, chosenOrganization } from './choosing.ts';
import { actorFor, newcomerOf, requireNewcomer } from './newcomer.ts';

export interface Asked {
  readonly app: App;
  readonly visit: Visit;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Answered {
  readonly status: number;
  readonly data: unknown;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Takes of the limit of signing up. */
  readonly isCounted: boolean;
  answer(asked: Asked): Promise<Answered>;
}

const BASE = '/api/v2/signup';

const organizationForm = z.strictObject({ name: shortText(255) });
const storefrontForm = organizationForm.extend({ termsVersion: z.string().max(64) });
const startForm = z.strictObject({ choice: z.enum(startingPoints) });
const invitationForm = z.strictObject({ token: z.string().min(1).max(200) });
/** `website` is a field that people do not see: what fills it in is no person. */
const trappedForm = previewForm.extend({ website: z.string().max(500).optional() });
const emailQuery = z.strictObject({ email: emailAddress });

function read<I extends z.ZodObject>(input: I, body: unknown): z.output<I> {
  return input.parse(parseInput({ input, effect: 'create' }, body));
}

/** What can be signed up for now. While plans are closed there is no word of them in it. */
async function options({ app, visit }: Asked): Promise<Answered> {
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
        termsVersion: (await inForce(db, new Date(app.services.ports.clock.now()).toISOString())).version,
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

async function emailAvailability({ app, query }: Asked): Promise<Answered> {
  read(emailQuery, Object.fromEntries(query));
  return { status: 200, data: await availability(app.services.store.db) };
}

async function preview({ app, visit, body }: Asked): Promise<Answered> {
  const { website = '', ...form } = read(trappedForm, body);
  const newcomer = await newcomerOf(app, visit);
  const user = newcomer?.user;
  if (website !== '')
    return filed({ route: 'launch_list', launchCountries: form.intended_markets, name: null });
  const actor = actorFor(app, visit, { tool: 'signup_preview', title: 'Ask for a preview', user });
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

async function buyer({ app, visit, body }: Asked): Promise<Answered> {
  const { session, user } = await requireNewcomer(app, visit);
  const form = read(organizationForm, body);
  const { db } = app.services.store;
  if (!(await readAdmission(db)).buyers) {
    const data = { nextStep: 'preview', organization: null, form: { fields: previewFields } };
    return { status: 200, data };
  }
  const actor = actorFor(app, visit, { tool: 'signup_buyer', title: 'Sign up as a buyer', user });
  const made = await signUpBuyer(actor, user, form);
  await chooseFor(app, session, made.organization.id);
  const starts = await startsOf(db, made.organization.id);
  return { status: 201, data: { nextStep: 'start', ...shown(made), startingPoints: starts } };
}

async function start({ app, visit, body }: Asked): Promise<Answered> {
  const { session, user } = await requireNewcomer(app, visit);
  const { choice } = read(startForm, body);
  const organizationId = await chosenOrganization(app, session);
  const actor = actorFor(app, visit, { tool: 'signup_start', title: 'Choose where to begin', user });
  const starts = await chooseStart(actor, { organizationId, userId: user.id, choice });
  return { status: 200, data: { startingPoints: starts } };
}

async function storefront({ app, visit, body }: Asked): Promise<Answered> {
  const { session, user } = await requireNewcomer(app, visit);
  const form = read(storefrontForm, body);
  const actor = actorFor(app, visit, { tool: 'signup_storefront', title: 'Sign up as a storefront', user });
  const made = await signUpStorefront(actor, user, form);
  await chooseFor(app, session, made.organization.id);
  return { status: 201, data: { ...shown(made), agreement: { termsVersion: form.termsVersion } } };
}

async function invitation({ app, visit, body }: Asked): Promise<Answered> {
  const { session, user } = await requireNewcomer(app, visit);
  const { token } = read(invitationForm, body);
  const { digest } = app.services.ports;
  const actor = actorFor(app, visit, { tool: 'invitation_accept', title: 'Accept an invitation', user });
  const { organizationId, organizationName, role } = await acceptInvitation(actor, {
    digest,
    user,
    value: token,
  });
  await chooseFor(app, session, organizationId);
  return { status: 200, data: { organization: { id: organizationId, name: organizationName }, role } };
}

async function linkContext({ app, params }: Asked): Promise<Answered> {
  const { store, ports } = app.services;
  const now = new Date(ports.clock.now()).toISOString();
  return { status: 200, data: await joinContext(store.db, params['slug'] ?? '', now) };
}

async function join({ app, visit, params, body }: Asked): Promise<Answered> {
  const { session, user } = await requireNewcomer(app, visit);
  const form = read(organizationForm, body);
  const actor = actorFor(app, visit, { tool: 'signup_join', title: 'Join by the link of a seller', user });
  const joined = await joinBySellerLink(actor, user, { slug: params['slug'] ?? '', ...form });
  await chooseFor(app, session, joined.organization.id);
  const { storefrontName, status } = joined;
  return { status: 201, data: { ...shown(joined), storefrontName, status } };
}

async function askToJoin({ app, visit, body }: Asked): Promise<Answered> {
  const { session, user } = await requireNewcomer(app, visit);
  read(z.strictObject({}), body);
  const actor = actorFor(app, visit, { tool: 'join_request_create', title: 'Ask to join', user });
  const asked = await askIn(actor, user);
  if (asked.status === 'joined') await chooseFor(app, session, asked.organizationId);
  return { status: 201, data: { status: asked.status, organizationName: asked.organizationName } };
}

function shown({ organization, customers }: MadeOrganization) {
  return {
    organization: { id: organization.id, name: organization.name },
    accounts: customers.map(({ id, role }) => ({ id, role })),
  };
}

export const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: BASE, isCounted: false, answer: options },
  { method: 'GET', path: `${BASE}/email-availability`, isCounted: true, answer: emailAvailability },
  { method: 'POST', path: `${BASE}/previews`, isCounted: true, answer: preview },
  { method: 'POST', path: '/api/v2/buyer/auth/buyer-signup-intake', isCounted: true, answer: preview },
  { method: 'POST', path: `${BASE}/buyers`, isCounted: true, answer: buyer },
  { method: 'POST', path: `${BASE}/starting-points`, isCounted: false, answer: start },
  { method: 'POST', path: `${BASE}/storefronts`, isCounted: true, answer: storefront },
  { method: 'POST', path: `${BASE}/invitations`, isCounted: true, answer: invitation },
  { method: 'GET', path: `${BASE}/join-links/{slug}`, isCounted: false, answer: linkContext },
  { method: 'POST', path: `${BASE}/join-links/{slug}`, isCounted: true, answer: join },
  { method: 'POST', path: `${BASE}/join-requests`, isCounted: true, answer: askToJoin },
];
