import { listPlaces } from '../../store/unscoped/people.ts';
import { createActor } from '../../tools/core/actor.ts';
import type { AuditSubject } from '../../tools/core/audit.ts';
import type { Actor } from '../../tools/core/context.ts';
import { userKind } from '../../tools/domain/organizations/kinds.ts';
import { requestIdOf } from '../http/visit.ts';
import { ipOf } from './attempts.ts';
import type { Exchange } from './exchange.ts';

interface Deed {
  /** Who acts; null where that is not known before the act. */
  readonly userId: number | null;
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
        userId: deed.userId,
        credentialId: null,
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
export async function subjectOf(
  { app }: Pick<Exchange, 'app'>,
  user: { readonly id: number; readonly email: string },
): Promise<AuditSubject | undefined> {
  const [place] = await listPlaces(app.services.store.db, user.id);
  if (place === undefined) return undefined;
  const tenant = { organizationId: place.organization_id, customerId: null };
  return { kind: userKind, resourceId: user.id, resourceName: user.email, tenant };
}
