import { makeTenant, type Tenant } from '../../../store/engine/scope.ts';
import { findOrganization, type OrganizationRow } from '../../../store/organizations.ts';
import { findWorkplace, listBelow } from '../../../store/unscoped/organization-tree.ts';
import type { Context } from '../../core/context.ts';
import { forbidden } from '../../core/errors/refusals.ts';
import type { Kind } from '../../core/kinds.ts';
import { present } from '../../core/reach.ts';
import { lookUps } from '../look-ups.ts';
import { organizationKind } from './kinds.ts';
import { permissionsOf } from './roles.ts';

/** An organization as an account of a person. */
export const accountOfMine: Kind = {
  ...organizationKind,
  word: 'account',
  lookUp: lookUps.account,
};

/** An account that somebody manages, and the tenant that it is. */
export interface ManagedAccount {
  readonly organization: OrganizationRow;
  readonly tenant: Tenant;
}

/** The organization somebody works in, or one below it, in which the person is an administrator. */
export async function reachAccount(ctx: Context, id: number): Promise<ManagedAccount> {
  const isThere = (await listBelow(ctx.db, ctx.scope.organizationId)).includes(id);
  const tenant = makeTenant(id);
  const organization = present(isThere ? await findOrganization(ctx.db, tenant) : undefined, accountOfMine);
  const { userId } = ctx.caller;
  const place = userId === null ? undefined : await findWorkplace(ctx.db, { userId, organizationId: id });
  const { role } = present(place, accountOfMine);
  if (!permissionsOf(role).includes('buyer:admin')) {
    throw forbidden(
      `Your role in this account is ${role}: an ADMIN manages it.`,
      'Ask an administrator of the account, or of the one above it.',
    );
  }
  return { organization, tenant };
}
