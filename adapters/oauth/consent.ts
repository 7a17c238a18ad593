import type { default as Provider } from 'oidc-provider';
import { isKnownClient } from '../../store/unscoped/oauth.ts';
import { findMember } from '../../store/unscoped/people.ts';
import { namesOf } from '../../tools/core/audit.ts';
import { forbidden, invalid } from '../../tools/core/errors/refusals.ts';
import { fromNow } from '../../tools/core/moments.ts';
import { oauthPaths } from '../../tools/core/root-addresses.ts';
import { mcpSurfaces, surfaces } from '../../tools/core/surfaces.ts';
import { programKind } from '../../tools/domain/organizations/kinds.ts';
import { giveAccess } from '../../tools/domain/organizations/programs.ts';
import { createAudiences, DEFAULT_RESOURCE } from '../auth/audiences.ts';
import { givenBy, IDENTITY_SCOPES, isPermission, scopesIn } from '../auth/scopes.ts';
import type { SignedIn } from '../auth/session.ts';
import type { App } from '../http/app.ts';
import { clientIp } from '../http/client-ip.ts';
import { requestIdOf } from '../http/visit.ts';
import { formField, formOf, signedIn } from '../people/browser.ts';
import { baseOf, type Exchange, leadOn, sendPage } from '../people/exchange.ts';
import { html } from '../people/html.ts';
import { placeWords, workplacesOf } from '../people/workplaces.ts';
import { systemClock } from '../ports/clock.ts';
import { titleOf } from '../settings/config.ts';
import { beganHere } from './browser-bond.ts';
import { consentPage, type Side } from './consent-page.ts';
import { actorFor } from './deeds.ts';
import { isLoopbackOnly, programName } from './registration.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;
type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>;

/** A request for authorization that waits for a person. */
interface Waiting {
  readonly exchange: Exchange;
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly client: Client;
  readonly person: SignedIn;
}

/** GET and POST /auth/interaction/{uid}: asks the person at the browser, and notes the answer. */
export async function answerInteraction(exchange: Exchange, provider: Provider): Promise<void> {
  const { req } = exchange;
  const interaction = await waitingHere(exchange, provider);
  if (interaction === undefined) return sendOver(exchange);
  const path = pathOf(interaction);
  const person = await signedIn(exchange);
  if (person === undefined || isTooLongAgo(exchange.app, person, interaction)) {
    const again = person === undefined ? '' : '&again=yes';
    return leadOn(exchange, `/sign-in?return_to=${encodeURIComponent(path)}${again}`);
  }
  const client = await provider.Client.find(clientIdOf(interaction));
  if (client === undefined) return sendOver(exchange);
  const waiting = { exchange, provider, interaction, client, person };
  if (req.method === 'POST') await take(waiting);
  else await ask(waiting);
}

/** What the library throws where a browser shows no request, or one that is over. */
const GONE = 'SessionNotFound';

/** The request for authorization that the address names, if it waits and began in this browser. */
async function waitingHere(exchange: Exchange, provider: Provider): Promise<Interaction | undefined> {
  const { req, res } = exchange;
  const interaction = await provider.interactionDetails(req, res).catch((thrown: unknown) => {
    if (thrown instanceof Error && thrown.name === GONE) return undefined;
    throw thrown;
  });
  const path = new URL(req.url ?? '/', 'http://ours.invalid').pathname;
  if (interaction === undefined || path !== pathOf(interaction)) return undefined;
  return (await beganHere(exchange, interaction.uid)) ? interaction : undefined;
}

function pathOf({ uid }: Interaction): string {
  return `${oauthPaths.interaction}/${uid}`;
}

function clientIdOf({ params }: Interaction): string {
  return String(params['client_id']);
}

/** A client may demand that the person signs in for this, or has within so many seconds. */
function isTooLongAgo({ services }: App, { session }: SignedIn, interaction: Interaction): boolean {
  const { prompt, params, iat } = interaction;
  // The library noted by the clock of the machine when this began.
  const beganAt = services.ports.clock.now() - (systemClock.now() - iat * 1_000);
  const signedInAt = Date.parse(session.signed_in_at);
  if (prompt.reasons.includes('login_prompt')) return signedInAt < beganAt;
  return params['max_age'] !== undefined && signedInAt < beganAt - Number(params['max_age']) * 1_000;
}

/** Says that a request does not wait any more, or not in this browser. */
export function sendOver(exchange: Exchange): void {
  sendPage(exchange, {
    title: 'Over',
    status: 400,
    body: html`<h1>This request is over</h1>
<p>It was answered already, it waited for too long, or it began in another browser. Go back to the program and connect it again.</p>`,
  });
}

async function ask({ exchange, interaction, client, person }: Waiting): Promise<void> {
  const { store } = exchange.app.services;
  const { user, session } = person;
  const places = await workplacesOf(exchange.app, user.id);
  if (places.length === 0) return sendNoPlace(exchange);
  const scopes = scopesIn(interaction.params['scope']);
  sendPage(exchange, {
    title: 'Connect a program',
    leadsOut: true,
    body: consentPage({
      action: `${baseOf(exchange.app)}${pathOf(interaction)}`,
      field: formField(exchange, session),
      clientName: programName(client.clientName),
      leadsTo: hostOf(String(interaction.params['redirect_uri'])),
      knownAs: client.clientId.startsWith('https://') ? new URL(client.clientId).host : undefined,
      email: user.email,
      places: places.map((place) => ({
        id: place.id,
        name: placeWords(place),
        chosen: place.id === session.chosen_organization_id,
      })),
      sides: sidesOf(exchange.app, interaction),
      identity: scopes.filter((scope) => IDENTITY_SCOPES.some((known) => known === scope)),
      permissions: givenBy(scopes),
      isNew: !(await isKnownClient(store.db, client.clientId)),
      isLoopback: isLoopbackOnly(client.redirectUris ?? []),
    }),
  });
}

/** Where the tokens that were asked for are taken. */
function sidesOf({ services, config }: App, interaction: Interaction): Side[] {
  const fits = createAudiences(services);
  const audience = resourcesIn(interaction);
  const named = audience.length === 0 ? [`${services.publicUrl()}${DEFAULT_RESOURCE}`] : audience;
  return mcpSurfaces
    .filter((surface) => fits({ way: 'rest', surface }, named))
    .map((surface) => {
      const { audience, holds, spends } = surfaces[surface].mcp;
      return { title: `${titleOf(config)} for ${audience}`, holds, spends };
    });
}

function resourcesIn({ params }: Interaction): string[] {
  return [params['resource'] ?? []].flat().map(String);
}

function sendNoPlace(exchange: Exchange): void {
  sendPage(exchange, {
    title: 'No organization',
    status: 403,
    body: html`<h1>You are not a member of any organization</h1>
<p>A program acts for you in an organization. Ask an administrator of yours to invite you, or <a href="${baseOf(exchange.app)}/start">begin with one of your own</a>. Then connect the program again.</p>`,
  });
}

/** What of an address a person can judge: its host, or the scheme that a program on this device answers to. */
function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? host : `${protocol}//${host}`;
}

async function take(waiting: Waiting): Promise<void> {
  const { exchange, provider, person } = waiting;
  const { req, res } = exchange;
  const form = await formOf(exchange);
  if (form.get('answer') !== 'allow') {
    const result = { error: 'access_denied', error_description: 'The person did not allow it.' };
    return provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }
  const grantId = await give(waiting, form);
  const login = {
    accountId: String(person.user.id),
    ts: Math.floor(Date.parse(person.session.signed_in_at) / 1_000),
    remember: false,
  };
  await provider.interactionFinished(req, res, { login, consent: { grantId } });
}

async function give(
  { exchange, interaction, client, person }: Waiting,
  form: URLSearchParams,
): Promise<string> {
  const { app, req } = exchange;
  const { services, config } = app;
  const userId = person.user.id;
  const organizationId = Number(form.get('organization'));
  if (!Number.isSafeInteger(organizationId)) throw invalid('organization', 'Choose an organization.');
  const member = await findMember(services.store.db, { userId, organizationId });
  if (member === undefined) {
    throw forbidden('You are not a member of that organization.', 'Choose one that you are a member of.');
  }
  const readOnly = form.get('access') === 'read';
  const actor = actorFor(services, {
    tool: 'oauth_consent',
    title: 'Connect a program',
    action: 'CREATE',
    kind: programKind,
    organizationId,
    userId,
    credentialId: `user:${userId}`,
    names: namesOf(person.user),
    requestId: requestIdOf(req),
    ip: clientIp(req, app.trustedProxies),
  });
  return giveAccess(actor, {
    userId,
    organizationId,
    sessionId: person.session.id,
    clientId: client.clientId,
    clientName: programName(client.clientName),
    readOnly,
    payload: sharesOf(interaction, readOnly),
    expiresAt: fromNow(services.ports.clock, config.refreshTokenSeconds * 1_000),
  });
}

/** What was asked for, for each address that was named; who allows reading refuses the rest by it. */
function sharesOf(interaction: Interaction, readOnly: boolean) {
  const scopes = scopesIn(interaction.params['scope']);
  const isRefused = (scope: string) => readOnly && isPermission(scope) && scope !== 'buyer:read';
  const refused = scopes.filter(isRefused);
  const given = scopes.filter((scope) => !isRefused(scope));
  const resources = resourcesIn(interaction);
  const shares = (names: readonly string[]) => ({
    openid: { scope: names.join(' ') },
    resources: Object.fromEntries(resources.map((resource) => [resource, names.join(' ')])),
  });
  return refused.length === 0 ? shares(given) : { ...shares(given), rejected: shares(refused) };
}
