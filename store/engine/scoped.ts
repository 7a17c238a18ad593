import type { Scope, Tenant } from './scope.ts';

/**
 * The columns that say whose a row is, written and asked for in one place. What is asked of a builder is only
 * that it can be narrowed by these columns and stays what it is, so that select, update and delete all fit. The
 * compiler lets a table without the column pass here; the database refuses it at the first query.
 */

interface OfOrganization<Q> {
  where(column: 'organization_id', operator: '=', value: number): Q;
}

interface OfAccount<Q> {
  where(column: 'organization_id' | 'customer_id', operator: '=', value: number): Q;
}

interface Versioned<Q, Id> {
  where(column: 'id', operator: '=', value: Id): Q;
  where(column: 'version', operator: '=', value: number): Q;
}

/** Narrows a query to the rows of an organization, whichever of its accounts they belong to. */
export function inOrganization({ organizationId }: Tenant) {
  return <Q extends OfOrganization<Q>>(query: Q): Q => query.where('organization_id', '=', organizationId);
}

/** Narrows a query to the rows of an account. */
export function inAccount({ organizationId, customerId }: Scope) {
  return <Q extends OfAccount<Q>>(query: Q): Q =>
    query.where('organization_id', '=', organizationId).where('customer_id', '=', customerId);
}

/** A row as it is written for an organization, whatever the row itself says of its owner. */
export function ofOrganization<T extends object>({ organizationId }: Tenant, row: T) {
  return { ...row, organization_id: organizationId };
}

/** A row as it is written for an account. */
export function ofAccount<T extends object>({ organizationId, customerId }: Scope, row: T) {
  return { ...row, organization_id: organizationId, customer_id: customerId };
}

/** A change to a row that is written only if nobody wrote in between. */
export interface Change<Id, Columns> {
  readonly id: Id;
  /** The version that the change was made on. */
  readonly version: number;
  readonly set: Columns;
}

/** Narrows an update to the row that the change was made on. */
export function atVersion<Id>({ id, version }: Change<Id, unknown>) {
  return <Q extends Versioned<Q, Id>>(query: Q): Q =>
    query.where('id', '=', id).where('version', '=', version);
}

/** The columns of a change, with the version they make. */
export function nextVersion<Columns extends object>({ version, set }: Change<unknown, Columns>) {
  return { ...set, version: version + 1 };
}
