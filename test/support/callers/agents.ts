import { newSessionValue, sessionCookie } from '../../../adapters/auth/session.ts';
import type { Role } from '../../../store/memberships.ts';
import { insertWebSession } from '../../../store/unscoped/web-sessions.ts';
import { nowOf } from '../../../tools/core/moments.ts';
import { giveRole } from '../../../tools/domain/organizations/people.ts';
import type { TestServer } from '../server/server.ts';
import { type Client, clientFor, type Reply } from './client.ts';

export const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Somebody without a credential, who calls from an address and says what it is. */
export interface Stranger {
  /** Posts JSON below the service. */
  post(path: string, body?: unknown): Promise<Reply>;
  /** Posts a form. */
  form(path: string, fields: Readonly<Record<string, string>>): Promise<Reply>;
  /** The access token for an assertion. */
  exchange(assertion: string, more?: Readonly<Record<string, string>>): Promise<Reply>;
}

export function stranger(
  server: Pick<TestServer, 'url'>,
  { ip, userAgent = 'Scout/1.0' }: { readonly ip?: string; readonly userAgent?: string } = {},
): Stranger {
  const { send } = clientFor(server.url);
  const from = { 'user-agent': userAgent, ...(ip === undefined ? {} : { 'x-forwarded-for': ip }) };
  const form: Stranger['form'] = (path, fields) =>
    send(`${server.url}${path}`, { method: 'POST', headers: from, body: new URLSearchParams(fields) });
  return {
    post: (path, body) =>
      send(`${server.url}${path}`, {
        method: 'POST',
        headers: { ...from, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      }),
    form,
    exchange: (assertion, more = {}) =>
      form('/auth/token', { grant_type: ASSERTION_GRANT, assertion, ...more }),
  };
}

/** A person who is signed in at a browser. */
export interface BrowsingPerson {
  readonly userId: number;
  readonly email: string;
  readonly cookie: string;
  get(path: string): Promise<Reply>;
  /** Sends the form of a page, with these fields in place of its own. */
  submit(page: Reply, action: string, fields: Readonly<Record<string, string>>): Promise<Reply>;
}

let people = 0;

/** A person with a role in organizations, an address that is proven, and a browser of their own. */
export async function personAtBrowser(
  server: TestServer,
  options: {
    readonly organizationIds: readonly number[];
    readonly role?: Role;
    readonly email?: string;
    readonly verified?: boolean;
  },
): Promise<BrowsingPerson> {
  people += 1;
  const {
    organizationIds,
    role = 'ADMIN',
    email = `person-${people}@claims.example`,
    verified = true,
  } = options;
  const { store, running } = server;
  const now = nowOf(running.app.services.ports.clock);
  let userId = 0;
  for (const organizationId of organizationIds) {
    userId = await giveRole(server.operator, { email, name: 'Person', organizationId, role });
  }
  if (userId === 0) {
    const row = { email, name: 'Person', created_at: now, updated_at: now };
    userId = (await store.db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }
  await store.db
    .updateTable('users')
    .set({ email_verified_at: verified ? now : null })
    .where('id', '=', userId)
    .execute();
  const { value, hash } = newSessionValue();
  await insertWebSession(store.db, {
    id: `ses_${people}_${userId}`,
    hash,
    user_id: userId,
    chosen_organization_id: organizationIds[0] ?? null,
    csrf: hash.slice(0, 43),
    user_agent: 'Browser',
    ip: '127.0.0.1',
    signed_in_at: now,
    seen_at: now,
    expires_at: '2099-01-01T00:00:00.000Z',
    ended_at: null,
  });
  const cookie = `${sessionCookie(server.url, server.config.brand)}=${value}`;
  return { userId, email, cookie, ...browsing(server.url, cookie) };
}

function browsing(url: string, cookie: string): Pick<BrowsingPerson, 'get' | 'submit'> {
  const client: Client = clientFor(url);
  // Addresses in answers name the service as the public knows it, which need not be where it listens.
  const at = (path: string) => `${url}${path.replace(/^https?:\/\/[^/]+/, '')}`;
  return {
    get: (path) => client.send(at(path), { method: 'GET', headers: { cookie } }),
    submit: (page, action, fields) =>
      client.send(at(action), {
        method: 'POST',
        headers: { cookie, origin: url, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ ...hiddenFields(page.text), ...fields }),
      }),
  };
}

/** What the forms of a page carry unseen. */
export function hiddenFields(text: string): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
}

/** A code as the page shows it. */
export function codeOn(page: Reply): string {
  const [, code] = /<code>(\d{6})<\/code>/.exec(page.text) ?? [];
  if (code === undefined) throw new Error(`No code on the page: ${page.text}`);
  return code;
}

/** Six digits that are not the code. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

/** Opens the page of an attempt as a person, and confirms it. */
export async function confirmAt(
  person: BrowsingPerson,
  verificationUri: string,
  organizationId?: number,
): Promise<Reply> {
  const page = await person.get(verificationUri);
  const chosen = organizationId === undefined ? {} : { organization_id: String(organizationId) };
  return person.submit(page, '/agent/claim/confirm', { ...chosen, decision: 'confirm' });
}

export interface ClaimedAgent {
  readonly id: string;
  readonly claimToken: string;
  readonly assertion: string;
  readonly refreshToken: string;
}

/** An agent that a person has claimed. */
export async function claimedAgent(agent: Stranger, person: BrowsingPerson): Promise<ClaimedAgent> {
  const registered = await agent.post('/agent/identity', { type: 'service_auth', login_hint: person.email });
  const { token, attempt } = registered.body.claim;
  const code = codeOn(await confirmAt(person, attempt.verification_uri));
  const completed = await agent.post('/agent/identity/claim/complete', {
    claim_token: token,
    user_code: code,
  });
  const { identity } = completed.body;
  return {
    id: completed.body.id,
    claimToken: token,
    assertion: identity.assertion,
    refreshToken: identity.refresh_token.value,
  };
}

/** Calls of an agent with the access token for an assertion. */
export async function clientOf(server: TestServer, agent: Stranger, assertion: string): Promise<Client> {
  const { body } = await agent.exchange(assertion);
  return clientFor(server.url, body.access_token);
}
