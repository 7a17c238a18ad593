import { toFlag } from '../../../store/engine/codec.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import {
  type CustomerRole,
  type CustomerRow,
  insertCustomer,
  insertOrganization,
  type OrganizationRow,
} from '../../../store/organizations.ts';
import type { Actor } from '../../core/context.ts';
import { accountKind, organizationKind } from './kinds.ts';

export interface NewOrganization {
  readonly name: string;
  readonly domain?: string | undefined;
  readonly kind?: OrganizationRow['kind'];
  readonly parentId?: number | undefined;
  readonly tier?: OrganizationRow['tier'];
  readonly alpha?: boolean;
  readonly roles: readonly CustomerRole[];
}

/** An organization with its accounts: one a role, named like the organization. */
export function createOrganization(actor: Actor, wanted: NewOrganization) {
  const stamps = { created_at: actor.now, updated_at: actor.now };
  return actor.write(
    async (tx) => {
      const organization = await insertOrganization(tx, {
        name: wanted.name,
        domain: wanted.domain ?? null,
        kind: wanted.kind ?? 'customer',
        parent_id: wanted.parentId ?? null,
        tier: wanted.tier ?? 'standard',
        alpha: toFlag(wanted.alpha ?? false),
        ...stamps,
      });
      const customers: CustomerRow[] = [];
      for (const role of wanted.roles) {
        const account = { role, name: wanted.name, ...stamps };
        customers.push(await insertCustomer(tx, makeTenant(organization.id), account));
      }
      return { organization, customers };
    },
    ({ organization: { id, name } }) => ({
      kind: organizationKind,
      action: 'CREATE',
      resourceId: id,
      resourceName: name,
      tenant: { organizationId: id, customerId: null },
    }),
  );
}

export function createAccount(
  actor: Actor,
  account: { organizationId: number; role: CustomerRole; name: string },
): Promise<CustomerRow> {
  const { organizationId, role, name } = account;
  return actor.write(
    (tx) =>
      insertCustomer(tx, makeTenant(organizationId), {
        role,
        name,
        created_at: actor.now,
        updated_at: actor.now,
      }),
    ({ id }) => ({
      kind: accountKind,
      action: 'CREATE',
      resourceId: id,
      resourceName: name,
      tenant: { organizationId, customerId: id },
    }),
  );
}
