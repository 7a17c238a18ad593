import { randomUUID } from 'node:crypto';
import { newSessionValue } from '../../../adapters/auth/session.ts';
import { insertWebSession } from '../../../store/unscoped/web-sessions.ts';
import { personAt } from '../../../tools/domain/organizations/people.ts';
import type { TestServer } from '../server/server.ts';
import { type Client, clientFor } from './client.ts';

/** Somebody signed in at a browser who is in no organization yet. */
export interface Newcomer extends Client {
  readonly userId: number;
  readonly email: string;
  readonly sessionId: string;
  /** What the browser shows. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface NewcomerOptions {
  readonly email?: string;
  /** False: nobody has shown yet that the address is theirs. */
  readonly isVerified?: boolean;
  readonly organizationId?: number;
}

/** Signs a new person in, at a browser of their own. */
export async function newNewcomer(
  server: Pick<TestServer, 'store' | 'operator' | 'url'>,
  options: NewcomerOptions = {},
): Promise<Newcomer> {
  const { email = `${randomUUID()}@people.example`, isVerified = true, organizationId = null } = options;
  const { now } = server.operator;
  const { db } = server.store;
  const { user } = await personAt(db, { email, name: 'Ada', isVerified, now });
  return { ...(await signInAs(server, user.id, organizationId)), email };
}

/** Another browser of a person that is known. */
export async function signInAs(
  server: Pick<TestServer, 'store' | 'operator' | 'url'>,
  userId: number,
  organizationId: number | null = null,
): Promise<Newcomer> {
  const { value, hash } = newSessionValue();
  const { now } = server.operator;
  const session = { id: `ses_${randomUUID()}`, csrf: randomUUID() };
  await insertWebSession(server.store.db, {
    ...session,
    hash,
    user_id: userId,
    chosen_organization_id: organizationId,
    user_agent: 'Test',
    ip: '127.0.0.1',
    signed_in_at: now,
    seen_at: now,
    expires_at: '2099-01-01T00:00:00.000Z',
    ended_at: null,
  });
  const headers = { cookie: `rialto_session=${value}`, 'x-csrf-token': session.csrf };
  return { ...browsing(server.url, headers), userId, email: '', sessionId: session.id, headers };
}

function browsing(url: string, own: Readonly<Record<string, string>>): Client {
  const client = clientFor(url);
  const json = (method: string) => (path: string, body?: unknown) =>
    client.send(path, {
      method,
      headers: { ...own, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    get: json('GET'),
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
    delete: json('DELETE'),
    send: (path, init) =>
      client.send(path, { ...init, headers: { ...own, ...Object.fromEntries(new Headers(init.headers)) } }),
  };
}
