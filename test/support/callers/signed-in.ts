import type { Role } from '../../../store/memberships.ts';
import { giveRole } from '../../../tools/domain/organizations/people.ts';
import { linkIn } from '../server/mail.ts';
import type { TestServer } from '../server/server.ts';
import { type BrowserClient, browserClient } from './browser-client.ts';

/** Long, and in no list. */
export const PASSWORD = 'four green boats at noon';

let count = 0;

/** An address that no other test uses. */
export function newAddress(): string {
  count += 1;
  return `person-${count}-${process.pid}@people.example`;
}

/** Somebody who made an account, and is signed in at this browser. */
export async function newAccount(
  server: TestServer,
  {
    email = newAddress(),
    role,
    organizationId,
  }: { email?: string; role?: Role; organizationId?: number } = {},
): Promise<BrowserClient & { readonly email: string }> {
  if (organizationId !== undefined) {
    await giveRole(server.operator, { email, name: '', organizationId, role: role ?? 'MEMBER' });
  }
  const browser = browserClient(server.url);
  await browser.submit('/sign-up', { email });
  const link = new URL(linkIn(await server.mail.next(email)));
  const finished = await browser.submit(
    `${link.pathname}${link.search}`,
    { name: 'Ada', password: PASSWORD },
    '/sign-up/finish',
  );
  if (finished.status !== 303) throw new Error(`The account was not made: ${finished.text}`);
  return { ...browser, email };
}

/** The path that a mail leads to. */
export async function mailedPath(server: TestServer, email: string): Promise<string> {
  const { pathname, search } = new URL(linkIn(await server.mail.next(email)));
  return `${pathname}${search}`;
}
