import { z } from 'zod';
import type { OrganizationKey } from '../../domain/credentials/port.ts';
import { heldPermissions } from '../../domain/credentials/schema.ts';
import { outputId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

/** A key as it is shown at any time after it was made (interface, Organization API key). */
export const organizationKey = z
  .object({
    id: z.string().describe('Id of the key.'),
    name: z.string().describe('What people know it by.'),
    permissions: heldPermissions,
    obfuscatedValue: z.string().describe('Its prefix and its last four characters.'),
    organizationId: outputId('The organization that it belongs to.'),
    createdByUserId: outputId('The person who made it.').nullable().describe('Null: the operator made it.'),
    createdAt: timestamp.describe('When it was made.'),
    updatedAt: timestamp.describe('When it was last changed.'),
    lastUsedAt: timestamp.nullable().describe('When it was last used, to the minute; null before that.'),
    expiresAt: timestamp.nullable().describe('When it ends by itself; null: it does not.'),
  })
  .meta({ id: 'OrganizationKey' });

/** A key of the provider, as it is shown. */
export function organizationKeyRecord({
  permissions,
  ...key
}: OrganizationKey): z.input<typeof organizationKey> {
  return { ...key, permissions: [...permissions] };
}

/** The one answer that has the value in it. */
export const newOrganizationKey = organizationKey
  .extend({ value: z.string().describe('The key itself. It is shown this once and kept nowhere.') })
  .meta({ id: 'NewOrganizationKey' });
