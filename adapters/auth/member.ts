import type { Permission } from '../../store/api-keys.ts';
import type { Opened } from '../../store/credential-access.ts';
import { findMember, type Member } from '../../store/unscoped/people.ts';
import { hasPermission } from '../../tools/core/access.ts';
import type { Caller, Services } from '../../tools/core/context.ts';
import { permissionsOf } from '../../tools/domain/organizations/roles.ts';
import { callerFor } from './caller.ts';
import { KeptCallers } from './kept-callers.ts';

/** An account that a credential of a person is bound to: of its two sides one is open. */
interface Bound extends Pick<Opened, 'buyer_id' | 'seller_id'> {
  readonly customerId: number;
}

/** A credential that acts for a person in an organization. */
export interface ForPerson {
  readonly kind: Caller['kind'];
  readonly userId: number;
  readonly organizationId: number;
  /** What names the credential; the person itself (`user:7`) where it is nothing but the person. */
  readonly principal: string;
  /** What the credential itself is called, where it has a name beside the person's. */
  readonly name?: string;
  readonly interactive?: true;
  /** The browser session that it is, or was issued in. */
  readonly sessionId?: string;
  /** What of the person's permissions the credential was given: it never opens more than the person holds. */
  readonly given?: readonly Permission[];
  /** The one account that it is bound to, with what is open there; without it, each of the organization. */
  readonly bound?: Bound;
  /** The addresses it is for; without it, for all. */
  readonly audience?: readonly string[];
  /** What the person gave to the program that shows it, where one does. */
  readonly oauthGrantId?: string;
  /** When the credential ends by itself, in milliseconds since 1970. */
  readonly endsAt: number;
}

/**
 * The caller that a person's session or token stands for, with what the person holds at this moment. Null for
 * who is no member any more, and where person or organization is suspended.
 */
export function callerForPerson(
  services: Services,
  wanted: ForPerson,
): Caller | null | Promise<Caller | null> {
  const member = findMember(services.store.db, wanted);
  const meet = (found: Member | undefined) =>
    found === undefined ? null : callerOf(services, wanted, found);
  return member instanceof Promise ? member.then(meet) : meet(member);
}

/** One for each person and organization that was found, and each credential of theirs. */
const known = new KeptCallers<Member>();

function callerOf(services: Services, wanted: ForPerson, member: Member): Caller | Promise<Caller> {
  const key = JSON.stringify(wanted);
  const last = known.get(member, key);
  if (last !== undefined) return last;
  const { bound } = wanted;
  const caller = callerFor(services, credentialOf(wanted, member), {
    opened: { ...member, ...bound },
    // Of accounts alone: what all of them share is the person's to change, with whatever acts for them.
    ...(bound !== undefined && member.grants > 0 ? { customerId: bound.customerId } : {}),
  });
  const keep = (made: Caller) => known.keep(member, key, made);
  return caller instanceof Promise ? caller.then(keep) : keep(caller);
}

function credentialOf(wanted: ForPerson, member: Member) {
  const { permissions, withheld } = shareOf(permissionsOf(member.role), wanted.given);
  return {
    kind: wanted.kind,
    principal: wanted.principal,
    holder: `user:${member.user_id}`,
    name: wanted.name ?? member.email,
    person: { email: member.email, name: member.name },
    ...(wanted.sessionId === undefined ? {} : { sessionId: wanted.sessionId }),
    ...(wanted.interactive ? { interactive: true as const } : {}),
    ...(wanted.audience === undefined ? {} : { audience: wanted.audience }),
    ...(wanted.oauthGrantId === undefined ? {} : { oauthGrantId: wanted.oauthGrantId }),
    // Of a program alone: no person is asked again for what a token or key was made with.
    ...(wanted.kind === 'user' && withheld.size > 0 ? { withheld } : {}),
    permissions,
    userId: member.user_id,
    endsAt: wanted.endsAt,
  };
}

/** What a credential holds of what its person holds, and what was kept from it. */
function shareOf(held: readonly Permission[], given: readonly Permission[] | undefined) {
  if (given === undefined) return { permissions: new Set(held), withheld: new Set<Permission>() };
  const asked = { permissions: new Set(given) };
  const permissions = new Set(held.filter((permission) => hasPermission(asked, permission)));
  return { permissions, withheld: new Set(held.filter((permission) => !permissions.has(permission))) };
}
