import { z } from 'zod';
import {
  type AskedToJoin,
  domainPolicies,
  joinRequestStates,
  type OrganizationDomainRow,
} from '../../../store/domains.ts';
import { outputId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const policyField = z
  .enum(domainPolicies)
  .describe(
    'How people with an address of the domain come in: by invitation_only, by asking (request_approval), or by ' +
      'themselves as MEMBER (auto_approve).',
  );

export const domain = z
  .object({
    domain: z.string().describe('The domain.'),
    policy: policyField,
    isVerified: z
      .boolean()
      .describe('Whether the operator has verified it: until then the policy does nothing.'),
    createdAt: timestamp.describe('When it was named.'),
  })
  .meta({ id: 'OrganizationDomain' });

export function domainRecord(row: OrganizationDomainRow): z.input<typeof domain> {
  const { verified_at, created_at } = row;
  return { domain: row.domain, policy: row.policy, isVerified: verified_at !== null, createdAt: created_at };
}

export const joinRequest = z
  .object({
    id: outputId('Id of the request.'),
    email: z.string().describe('Verified address of who asks.'),
    name: z.string().describe('Name of who asks.'),
    status: z.enum(joinRequestStates).describe('pending: nobody has decided yet.'),
    createdAt: timestamp.describe('When it was asked.'),
  })
  .meta({ id: 'JoinRequest' });

export function joinRequestRecord(row: AskedToJoin): z.input<typeof joinRequest> {
  const { id, email, name, status, created_at } = row;
  return { id, email, name, status, createdAt: created_at };
}
