import type { Permission } from '../../../store/api-keys.ts';
import type { Role } from '../../../store/memberships.ts';
import type { ServiceTokenRole } from '../../../store/service-tokens.ts';

/**
 * What a role of a person opens, every permission by its name (decisions, Gates: SUPER_ADMIN and ADMIN hold all,
 * MEMBER changes, READ_ONLY reads).
 */
const held: Readonly<Record<Role, readonly Permission[]>> = {
  SUPER_ADMIN: ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'],
  ADMIN: ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'],
  MEMBER: ['buyer:read', 'buyer:write'],
  READ_ONLY: ['buyer:read'],
};

export function permissionsOf(role: Role): readonly Permission[] {
  return held[role];
}

/** What a service token of a role was given: the affairs of the account, billing and teams, are never in it. */
const lent: Readonly<Record<ServiceTokenRole, readonly Permission[]>> = {
  ADMIN: ['buyer:read', 'buyer:write', 'buyer:admin'],
  READ_WRITE: ['buyer:read', 'buyer:write'],
  READ: ['buyer:read'],
};

export function lentPermissions(role: ServiceTokenRole): readonly Permission[] {
  return lent[role];
}
