import { asSealed, sealedText } from '../../store/engine/codec.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { forbidden } from '../../tools/core/errors/refusals.ts';
import { domainOf, EMAIL_PROBLEM } from '../../tools/domain/email.ts';
import { cookieOf } from '../auth/session.ts';
import { countTry } from './attempts.ts';
import { formOf, openField } from './browser.ts';
import type { PageStatus } from './exchange.ts';
import {
  baseOf,
  cookieName,
  type Exchange,
  isSecure,
  leadOn,
  leadOut,
  requireSafePlace,
  sendPage,
  setCookie,
} from './exchange.ts';
import { emailIn, field, type Problems, summary } from './fields.ts';
import { html } from './html.ts';
import { type Answer, type Asked, letIn, type PageRoute, returnField, withReturn } from './people.ts';
import { type Claims, personFrom } from './provider-person.ts';
import type { Provider } from './providers.ts';

const COOKIE = 'elsewhere';
const OWNER = 'sign_in_elsewhere';
const MINUTES_10_SECONDS = 600;
const SCOPE = 'openid email profile';

/** What this browser has to bring back: it is in a cookie that nobody else can read or make. */
interface Journey {
  readonly domain: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly wanted: string | null;
  readonly until: number;
}

/** Each provider sends people back to an address of its own, so that none can pass for another (RFC 9207). */
function callbackPath(domain: string): string {
  return domain === '' ? '/sign-in/callback' : `/sign-in/callback/${domain}`;
}

async function depart(
  exchange: Exchange,
  { people }: Asked,
  to: { provider: Provider; wanted: string | null },
) {
  const { app } = exchange;
  const { services } = app;
  const { provider, wanted } = to;
  const client = await import('openid-client');
  const configuration = await reach(exchange, () => people.providers.configure(provider));
  const journey: Journey = {
    domain: provider.domain,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    wanted,
    until: services.ports.clock.now() + MINUTES_10_SECONDS * 1_000,
  };
  const value = sealedText(services.ports.secrets.seal(JSON.stringify(journey), OWNER));
  setCookie(exchange, { name: COOKIE, value, maxAgeSeconds: MINUTES_10_SECONDS });
  leadOut(
    exchange,
    client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${services.publicUrl()}${callbackPath(provider.domain)}`,
      scope: SCOPE,
      state: journey.state,
      nonce: journey.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
      code_challenge_method: 'S256',
    }),
  );
}

/** What a provider does wrong is its own: it is logged, and the person is told to try again or another way. */
async function reach<T>({ app }: Exchange, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) throw error;
    app.services.log.warn({ err: error }, 'an identity provider failed');
    throw forbidden(
      'Signing in with the identity provider did not work.',
      'Try again from the sign-in page, or sign in another way.',
    );
  }
}

const getProvider: Answer = async (exchange, asked) => {
  requireSafePlace(exchange);
  const wanted = asked.query.get('return_to');
  const { services } = exchange.app;
  // The way back leads to PUBLIC_URL, and cookies stay with the name they were set under.
  if (!isSecure(exchange.app) && exchange.req.headers.host !== new URL(services.publicUrl()).host) {
    return leadOut(exchange, new URL(`${services.publicUrl()}${withReturn('/sign-in/provider', wanted)}`));
  }
  const attempt = countTry(exchange);
  const provider = await asked.people.providers.find('');
  if (provider !== undefined) await depart(exchange, asked, { provider, wanted });
  attempt.forgive();
  if (provider === undefined) leadOn(exchange, '/sign-in');
};

interface Shown {
  readonly wanted: string | null;
  readonly email?: string;
  readonly problems?: Problems;
  readonly status?: PageStatus;
}

async function showOrganization(
  exchange: Exchange,
  { wanted, email, problems = {}, status = 200 }: Shown,
): Promise<void> {
  const base = baseOf(exchange.app);
  sendPage(exchange, {
    title: 'Sign in with your organization',
    status,
    leadsOut: true,
    body: html`<h1>Your organization</h1>
<p class="lead">Your e-mail address tells where you sign in.</p>
${summary(problems)}
<form method="post" action="${base}/sign-in/organization" novalidate>
${await openField(exchange)}${returnField(wanted)}
${field({ name: 'email', label: 'Work e-mail', type: 'email', value: email, autocomplete: 'username', problems, autofocus: true })}
<button>Continue</button>
</form>
<ul class="links"><li><a href="${base}${withReturn('/sign-in', wanted)}">Sign in another way</a></li></ul>`,
  });
}

const getOrganization: Answer = async (exchange, { query }) => {
  requireSafePlace(exchange);
  await showOrganization(exchange, { wanted: query.get('return_to') });
};

/**
 * Whose domain has a provider shows, because that is where its people are led; who they are does not: nobody is
 * looked for. What leads nowhere counts as a sign-in that failed, so that nobody reads a list of domains from it, or
 * has providers asked at will.
 */
const postOrganization: Answer = async (exchange, asked) => {
  const fields = await formOf(exchange);
  const attempt = countTry(exchange);
  const wanted = fields.get('return_to');
  const email = emailIn(fields);
  const provider = email === undefined ? undefined : await asked.people.providers.find(domainOf(email));
  if (provider !== undefined) {
    await depart(exchange, asked, { provider, wanted });
    return attempt.forgive();
  }
  const problem =
    email === undefined
      ? EMAIL_PROBLEM
      : `No organization has people at ${domainOf(email)} sign in elsewhere.`;
  const typed = fields.get('email') ?? '';
  await showOrganization(exchange, { wanted, email: typed, problems: { email: problem }, status: 422 });
};

const getCallback: Answer = async (exchange, { people, params }) => {
  const attempt = countTry(exchange);
  const { services } = exchange.app;
  const domain = params['domain'] ?? '';
  const journey = journeyOf(exchange);
  setCookie(exchange, { name: COOKIE, value: '', maxAgeSeconds: 0 });
  if (journey === undefined || journey.domain !== domain) throw notBegunHere();
  const provider = await people.providers.find(domain);
  if (provider === undefined) throw notBegunHere();
  const { search } = new URL(exchange.req.url ?? '/', services.publicUrl());
  const back = new URL(`${services.publicUrl()}${callbackPath(domain)}${search}`);
  const claims = await reach(exchange, async () =>
    claimsOf(await people.providers.configure(provider), { journey, back }),
  );
  await letIn(exchange, await personFrom(exchange, provider, claims), journey.wanted);
  attempt.forgive();
};

function notBegunHere() {
  return forbidden(
    'This browser did not begin to sign in there, or too long ago.',
    'Begin again from the sign-in page. Cookies have to be allowed for this site.',
  );
}

function journeyOf({ app, req }: Exchange): Journey | undefined {
  const value = cookieOf(req.headers.cookie, cookieName(app, COOKIE));
  if (value === undefined) return undefined;
  const { secrets, clock } = app.services.ports;
  try {
    const journey = JSON.parse(secrets.open(asSealed(value), OWNER)) as Journey;
    return journey.until > clock.now() ? journey : undefined;
  } catch {
    return undefined;
  }
}

/** Changes the code for tokens and reads them: state, nonce, issuer, audience and signature are checked there. */
async function claimsOf(
  configuration: import('openid-client').Configuration,
  { journey, back }: { readonly journey: Journey; readonly back: URL },
): Promise<Claims> {
  const client = await import('openid-client');
  const tokens = await client.authorizationCodeGrant(configuration, back, {
    expectedState: journey.state,
    expectedNonce: journey.nonce,
    pkceCodeVerifier: journey.verifier,
    idTokenExpected: true,
  });
  const said = tokens.claims();
  if (said === undefined) throw new Error('The provider sent no ID token.');
  // Many providers tell of the address only when they are asked for it.
  const more =
    said['email'] === undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, said.sub)
      : said;
  return {
    issuer: said.iss,
    subject: said.sub,
    email: more['email'],
    emailVerified: more['email_verified'],
    name: more['name'],
  };
}

export const providerRoutes: readonly PageRoute[] = [
  { path: '/sign-in/provider', get: getProvider },
  { path: '/sign-in/organization', get: getOrganization, post: postOrganization },
  { path: '/sign-in/callback', get: getCallback },
  { path: '/sign-in/callback/:domain', get: getCallback },
];
