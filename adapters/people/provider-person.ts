import type { Db } from '../../store/engine/db.ts';
import { findIdentity, keepIdentity } from '../../store/unscoped/user-identities.ts';
import { findUser, findUserByEmail, type UserRow, updateUser } from '../../store/unscoped/users.ts';
import { forbidden } from '../../tools/core/errors/refusals.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { domainOf, emailOf } from '../../tools/domain/email.ts';
import { personAt } from '../../tools/domain/organizations/people.ts';
import { shortText } from '../../tools/domain/text.ts';
import { actingPerson, subjectOf } from './acting.ts';
import type { Exchange } from './exchange.ts';
import type { Provider } from './providers.ts';

/** What a provider says of somebody. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: unknown;
  readonly emailVerified: unknown;
  readonly name: unknown;
}

const NAME_MAX = 100;
/** OpenID Connect Core, section 2: no subject is longer. */
const SUBJECT_MAX = 255;

/**
 * The person whom a provider speaks of: known by who they are there, else by an e-mail address that the provider
 * has verified and is believed for. Somebody new gets an account, without any organization.
 */
export async function personFrom(exchange: Exchange, provider: Provider, claims: Claims): Promise<UserRow> {
  const { store } = exchange.app.services;
  if (claims.subject === '' || claims.subject.length > SUBJECT_MAX) throw nobody();
  const known = await findIdentity(store.db, claims);
  const user = known === undefined ? undefined : await findUser(store.db, known.user_id);
  if (user !== undefined) return welcomeBack(exchange, provider, { user, claims });
  const email = verifiedEmail(provider, claims);
  const waiting = await findUserByEmail(store.db, email);
  if (waiting !== undefined) refuseTaken(waiting);
  const subject = waiting === undefined ? undefined : await subjectOf(exchange, waiting);
  const actor = actingPerson(exchange, {
    user: waiting ?? null,
    tool: 'identity_link',
    title: 'Sign in with an identity provider for the first time',
  });
  const { now } = actor;
  return actor.write(
    async (tx) => {
      const person = await personWith(tx, { email, name: nameOf(claims, email), now });
      const { issuer, subject: id } = claims;
      await keepIdentity(tx, { issuer, subject: id, user_id: person.id, created_at: now, used_at: now });
      return person;
    },
    () =>
      subject === undefined
        ? undefined
        : { ...subject, changes: { identityProvider: { to: claims.issuer } } },
  );
}

/** An identity is somebody's for good, as long as the provider may speak for that person's address. */
async function welcomeBack(
  { app }: Exchange,
  provider: Provider,
  { user, claims }: { readonly user: UserRow; readonly claims: Claims },
): Promise<UserRow> {
  if (user.suspended_at !== null) throw refused();
  if (!provider.isBelievedFor(domainOf(user.email))) throw notForThisDomain(provider, user.email);
  const { store, ports } = app.services;
  const now = nowOf(ports.clock);
  const { issuer, subject } = claims;
  await keepIdentity(store.db, { issuer, subject, user_id: user.id, created_at: now, used_at: now });
  return user;
}

async function personWith(
  tx: Db,
  { email, name, now }: { readonly email: string; readonly name: string; readonly now: string },
): Promise<UserRow> {
  const { user, isNew } = await personAt(tx, { email, name, isVerified: true, now });
  if (isNew) return user;
  refuseTaken(user);
  await updateUser(tx, user.id, {
    email_verified_at: user.email_verified_at ?? now,
    name: user.name || name,
    updated_at: now,
  });
  return user;
}

/**
 * Somebody chose a password under an address that nobody confirmed: whoever has the address might not be who
 * chose it, and would be given what is theirs.
 */
function refuseTaken(user: UserRow): void {
  if (user.suspended_at !== null) throw refused();
  if (user.password_hash === null || user.email_verified_at !== null) return;
  throw forbidden(
    'There is an account with this e-mail address, and the address was never confirmed.',
    'Sign in with its password and confirm the address in the settings, or ask for a new password by mail.',
  );
}

function nobody() {
  return forbidden('Your identity provider does not say who you are.', 'Sign in another way.');
}

function refused() {
  return forbidden('This account cannot sign in.', 'Ask the operator of this service.');
}

function verifiedEmail(provider: Provider, claims: Claims): string {
  const given = typeof claims.email === 'string' ? claims.email : '';
  const email = emailOf(given);
  if (email === undefined || claims.emailVerified !== true) {
    throw forbidden(
      'Your identity provider names no e-mail address that it has verified.',
      'Confirm your address there, then sign in again.',
    );
  }
  if (!provider.isBelievedFor(domainOf(email))) throw notForThisDomain(provider, email);
  return email;
}

function notForThisDomain({ domain }: Provider, email: string) {
  const whose = domain === '' ? 'This identity provider' : `The identity provider of ${domain}`;
  return forbidden(`${whose} does not speak for addresses at ${domainOf(email)}.`, 'Sign in another way.');
}

function nameOf({ name }: Claims, email: string): string {
  const read = shortText(NAME_MAX).safeParse(name);
  return read.success ? read.data : email.slice(0, email.lastIndexOf('@'));
}
