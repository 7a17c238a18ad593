import { findMember, listPlaces } from '../../store/unscoped/people.ts';
import type { UserRow } from '../../store/unscoped/users.ts';
import { createActor } from '../../tools/core/actor.ts';
import { type AuditSubject, namesOf } from '../../tools/core/audit.ts';
import type { Actor } from '../../tools/core/context.ts';
import { userKind } from '../../tools/domain/organizations/kinds.ts';
import { ownLog } from '../../tools/domain/organizations/own-log.ts';
import { requestIdOf } from '../http/visit.ts';
import { ipOf } from './attempts.ts';
import type { Exchange } from './exchange.ts';

type Asking = Pick<Exchange, 'app'>;
type Account = Pick<UserRow, 'id' | 'email'>;

interface Deed {
  /** Who acts; null where nobody is known, without an id whoever is made known by the act. */
  readonly user: { readonly id: number | null; readonly email: string; readonly name: string } | null;
  /** In whose log it is written; 0 where each entry says it. */
  readonly organizationId?: number;
  /** What the log calls it: `password_change`. */
  readonly tool: string;
  readonly title: string;
}

/** A person at a page, whose changes are written down like those of any caller. */
export function actingPerson(exchange: Exchange, deed: Deed): Actor {
  const { store, ports } = exchange.app.services;
  return createActor(
    { store, clock: ports.clock, ids: ports.ids },
    {
      author: {
        organizationId: deed.organizationId ?? 0,
        customerId: null,
        userId: deed.user?.id ?? null,
        credentialId: null,
        ...(deed.user === null ? {} : { names: namesOf(deed.user) }),
        origin: 'human',
        requestId: requestIdOf(exchange.req),
        ip: ipOf(exchange),
      },
      tool: deed.tool,
      surface: 'pages',
      title: deed.title,
      action: 'UPDATE',
      kind: userKind,
      parameters: null,
    },
  );
}

/**
 * What the log says of a change of somebody's account: in the log of an organization where the person has a role.
 * Somebody without any has no log it could stand in.
 */
export function subjectOf(exchange: Asking, user: Account): Promise<AuditSubject | undefined> {
  return subjectAt(exchange, user, null);
}

/**
 * The same where the organization is known in which the person works; of one who works in none, or is no longer one of
 * its people, where they could.
 */
export async function subjectAt(
  exchange: Asking,
  user: Account,
  organizationId: number | null,
): Promise<AuditSubject | undefined> {
  const { db } = exchange.app.services.store;
  const isThere = organizationId !== null && (await findMember(db, { userId: user.id, organizationId }));
  const at = isThere ? organizationId : (await listPlaces(db, user.id))[0]?.organization_id;
  if (at === undefined) return undefined;
  return {
    kind: userKind,
    resourceId: user.id,
    resourceName: user.email,
    tenant: await ownLog(db, at),
  };
}
