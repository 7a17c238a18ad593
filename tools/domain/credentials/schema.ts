import { z } from 'zod';
import { type Permission, permissions } from '../../../store/api-keys.ts';
import { hasPermission } from '../../core/access.ts';
import type { Caller } from '../../core/context.ts';
import { forbidden } from '../../core/errors/refusals.ts';
import { shortText } from '../text.ts';

/** The name of a credential. */
export const credentialName = shortText(100).describe('What people know it by, 1 to 100 characters.');

/** What a credential is to open: one or more of the four. */
export const wantedPermissions = z
  .array(z.enum(permissions))
  .min(1, 'Give one permission or more.')
  .refine((list) => new Set(list).size === list.length, 'Give each permission once.')
  .describe(
    'What it opens: buyer:read reads, buyer:write makes and changes, buyer:admin deletes and settles the ' +
      'organization’s affairs, account:admin its billing, contracts and teams.',
  );

export const heldPermissions = z.array(z.enum(permissions)).describe('What it opens.');

/** Nobody gives away what they do not hold. */
export function requireOwn(caller: Caller, wanted: readonly Permission[]): void {
  const lacking = wanted.filter((permission) => !hasPermission(caller, permission));
  if (lacking.length === 0) return;
  throw forbidden(
    `You do not hold ${lacking.join(' and ')}, and cannot give it to a credential.`,
    'Leave it out, or ask somebody who holds it.',
  );
}
