import type { Compilable } from 'kysely';
import type { Db } from './db.ts';
import { prepared } from './prepared.ts';
import type { Scope, Tenant } from './scope.ts';

interface Narrowed<Q, Id> {
  where(column: 'organization_id', operator: '=', value: number): Q;
  where(column: 'id', operator: '=', value: Id): Q;
}

interface NarrowedToAccount<Q, Id> {
  where(column: 'organization_id' | 'customer_id', operator: '=', value: number): Q;
  where(column: 'id', operator: '=', value: Id): Q;
}

/** A search for one row of an organization by its id, prepared: nearly every call begins with one. */
export function byId<R extends { id: unknown }, Q extends Narrowed<Q, R['id']> & Compilable<R>>(
  all: (db: Db) => Q & Compilable<R>,
) {
  const found = prepared((db, { organizationId, id }: { organizationId: number; id: R['id'] }) =>
    all(db).where('organization_id', '=', organizationId).where('id', '=', id),
  );
  return (db: Db, { organizationId }: Tenant, id: R['id']): Promise<R | undefined> =>
    found.first(db, { organizationId, id });
}

/** The same of an account. */
export function byIdInAccount<
  R extends { id: unknown },
  Q extends NarrowedToAccount<Q, R['id']> & Compilable<R>,
>(all: (db: Db) => Q & Compilable<R>) {
  type Wanted = { organizationId: number; customerId: number; id: R['id'] };
  const found = prepared((db, { organizationId, customerId, id }: Wanted) =>
    all(db)
      .where('organization_id', '=', organizationId)
      .where('customer_id', '=', customerId)
      .where('id', '=', id),
  );
  return (db: Db, { organizationId, customerId }: Scope, id: R['id']): Promise<R | undefined> =>
    found.first(db, { organizationId, customerId, id });
}
