import { z } from 'zod';
import { type ServiceTokenRow, serviceTokenRoles } from '../../../store/service-tokens.ts';
import { typedOutputId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const serviceTokenRole = z.enum(serviceTokenRoles);

/** What a service token is, beside its secret (interface, Service token). */
export const serviceToken = z
  .object({
    id: typedOutputId('Id of the token.'),
    customerId: typedOutputId('The account it was made in.'),
    seatId: typedOutputId(
      'The seat of the person it acts for: each person has one, under the person’s own number.',
    ),
    userId: typedOutputId('The person it acts for: it opens nothing that the person does not hold.'),
    organizationId: typedOutputId('The organization it works in.'),
    createdByUserId: typedOutputId('The person who made it.'),
    name: z.string().describe('What people know it by.'),
    description: z.string().describe('What it is for.'),
    accessClientId: z.string().describe('The first half of the credential.'),
    createdAt: timestamp.describe('When it was made.'),
    expiresAt: timestamp.describe('When it ends by itself.'),
    role: serviceTokenRole.describe(
      'READ reads, READ_WRITE makes and changes, ADMIN deletes and settles too.',
    ),
  })
  .meta({ id: 'ServiceToken' });

export function serviceTokenRecord(row: ServiceTokenRow): z.input<typeof serviceToken> {
  return {
    id: row.id,
    customerId: row.customer_id,
    seatId: row.user_id,
    userId: row.user_id,
    organizationId: row.organization_id,
    createdByUserId: row.created_by_user_id,
    name: row.name,
    description: row.description,
    accessClientId: row.access_client_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    role: row.role,
  };
}
