import { newSessionValue } from '../../../adapters/auth/session.ts';
import type { Role } from '../../../store/memberships.ts';
import { insertWebSession } from '../../../store/unscoped/web-sessions.ts';
import { giveRole } from '../../../tools/domain/organizations/people.ts';
import type { TestServer } from '../server/server.ts';
import { newPerson, type Person, type PersonOptions } from './people.ts';

/** Somebody at a browser: what it was told to keep goes along with what it asks for. */
export interface Browser {
  readonly userId: number;
  readonly email: string;
  readonly sessionId: string;
  /** The organization, with a key of its own. */
  readonly organization: Person;
  /** Asks as a browser does: with its cookies, without following. */
  go(address: string | URL, init?: RequestInit): Promise<Response>;
  /** Forgets its cookies but the session. */
  readonly cookies: Map<string, string>;
}

let count = 0;

/** A person with a role in an organization of their own, signed in at a browser. */
export async function signedInPerson(
  server: TestServer,
  {
    role = 'ADMIN',
    organization: given,
    ...options
  }: PersonOptions & { role?: Role; organization?: Person } = {},
): Promise<Browser> {
  count += 1;
  const email = `person-${count}-${crypto.randomUUID().slice(0, 8)}@people.example`;
  const organization = given ?? (await newPerson(server, options));
  const userId = await giveRole(server.operator, {
    organizationId: organization.organizationId,
    email,
    name: `Person ${count}`,
    role,
  });
  return browserOf(server, { userId, email, organization });
}

/** Another browser of a person who is known. */
export async function browserOf(
  server: TestServer,
  { userId, email, organization }: Pick<Browser, 'userId' | 'email' | 'organization'>,
): Promise<Browser> {
  const { value, hash } = newSessionValue();
  const { clock } = server.running.app.services.ports;
  const now = new Date(clock.now()).toISOString();
  const sessionId = `ses_${crypto.randomUUID()}`;
  await insertWebSession(server.store.db, {
    id: sessionId,
    hash,
    user_id: userId,
    chosen_organization_id: organization.organizationId,
    csrf: 'c'.repeat(43),
    user_agent: 'test',
    ip: '127.0.0.1',
    signed_in_at: now,
    seen_at: now,
    expires_at: new Date(clock.now() + 86_400_000).toISOString(),
    ended_at: null,
  });
  return { userId, email, sessionId, organization, ...jarWith(`rialto_session=${value}`) };
}

/** A browser that keeps cookies by the paths they are for. */
export function jarWith(...first: string[]): Pick<Browser, 'go' | 'cookies'> {
  const cookies = new Map<string, string>(first.map((cookie) => [`/ ${cookie.split('=')[0]}`, cookie]));
  const go = async (address: string | URL, init: RequestInit = {}) => {
    const { pathname } = new URL(address);
    const fitting = [...cookies].flatMap(([key, cookie]) => {
      const [path = '/'] = key.split(' ');
      return pathname.startsWith(path) ? [cookie] : [];
    });
    const headers = new Headers(init.headers);
    if (fitting.length > 0) headers.set('cookie', fitting.join('; '));
    const response = await fetch(address, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    return response;
  };
  return { cookies, go };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [cookie = '', ...attributes] = line.split('; ');
  const path = attributes.find((part) => /^path=/i.test(part))?.slice('path='.length) ?? '/';
  const key = `${path} ${cookie.split('=')[0]}`;
  const isOver = attributes.some((part) => /^expires=.*\b1970\b/i.test(part));
  if (cookie.endsWith('=') || isOver) cookies.delete(key);
  else cookies.set(key, cookie);
}

export interface Consent {
  readonly access?: 'full' | 'read';
  readonly answer?: 'allow' | 'deny';
  readonly organization?: number;
}

/** Goes to an address of authorization, answers the page that asks, and comes back with where it leads. */
export async function consentAt(
  browser: Browser,
  address: string | URL,
  consent: Consent = {},
): Promise<URL> {
  const asked = await browser.go(address);
  const page = locationOf(asked, address);
  if (!page.pathname.includes('/auth/interaction/')) return page;
  const shown = await browser.go(page);
  const text = await shown.text();
  if (shown.status !== 200) throw new Error(`The page that asks answered ${shown.status}: ${text}`);
  const form = new URLSearchParams({
    csrf: /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '',
    organization: String(consent.organization ?? browser.organization.organizationId),
    access: consent.access ?? 'full',
    answer: consent.answer ?? 'allow',
  });
  const answered = await browser.go(page, {
    method: 'POST',
    body: form,
    headers: { origin: new URL(address).origin },
  });
  if (answered.status !== 303) throw new Error(`The answer was not taken: ${await answered.text()}`);
  const resumed = await browser.go(locationOf(answered, address));
  return locationOf(resumed, address);
}

/** Where an answer leads. */
export function locationOf(response: Response, base: string | URL): URL {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.status} leads nowhere.`);
  return new URL(location, base);
}
