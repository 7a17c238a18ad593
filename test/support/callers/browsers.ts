import { randomBytes, randomUUID } from 'node:crypto';
import { newSessionValue } from '../../../adapters/auth/session.ts';
import type { Role } from '../../../store/memberships.ts';
import { insertWebSession } from '../../../store/unscoped/web-sessions.ts';
import { giveRole } from '../../../tools/domain/organizations/people.ts';
import type { TestServer } from '../server/server.ts';

const MARK = 'browser ';

/** Somebody signed in at a browser, in an organization. */
export interface Browser {
  /** What stands where tests show a key: `headersOf` makes the cookie of it. */
  readonly credential: string;
  readonly userId: number;
  readonly email: string;
  readonly sessionId: string;
}

/** Signs a new person with a role in at a browser. */
export async function newBrowser(
  server: Pick<TestServer, 'store' | 'operator'>,
  organizationId: number,
  role: Role = 'ADMIN',
): Promise<Browser> {
  const email = `${randomUUID()}@people.example`;
  const person = { organizationId, email, name: `Person ${email.slice(0, 4)}`, role };
  const userId = await giveRole(server.operator, person);
  const { value, hash } = newSessionValue();
  const { now } = server.operator;
  const sessionId = `ses_${randomUUID()}`;
  const csrf = randomBytes(32).toString('base64url');
  await insertWebSession(server.store.db, {
    id: sessionId,
    hash,
    user_id: userId,
    chosen_organization_id: organizationId,
    csrf,
    user_agent: 'Test',
    ip: '127.0.0.1',
    signed_in_at: now,
    seen_at: now,
    expires_at: '2099-01-01T00:00:00.000Z',
    ended_at: null,
  });
  return { credential: `${MARK}rialto_session=${value} ${csrf}`, userId, email, sessionId };
}

/** The headers that show a credential: a key as a bearer, a browser with its cookie and what its forms carry. */
export function headersOf(credential: string | undefined): Record<string, string> {
  if (credential === undefined) return {};
  if (!credential.startsWith(MARK)) return { authorization: `Bearer ${credential}` };
  const [cookie = '', csrf = ''] = credential.slice(MARK.length).split(' ');
  return { cookie, 'x-csrf-token': csrf };
}
