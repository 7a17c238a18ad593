import { z } from 'zod';
import { roles } from '../../../store/memberships.ts';
import { outputId } from '../../domain/ids.ts';

/** An organization as somebody who works in it sees it (contract: OrgAccountSummary, with ours). */
export const account = z
  .object({
    id: outputId('Id of the account: of the organization that it is.'),
    company: z.string().describe('Name of the organization.'),
    name: z.string().describe('The same, as accounts are listed.'),
    role: z.enum(roles).optional().describe('Your role in it, your own or that of an organization above it.'),
    customerDomain: z.string().nullable().describe('Its domain.'),
    parentId: outputId('The organization above it.').nullable().describe('Null: none is above it.'),
    isCurrent: z.boolean().describe('Whether you work in it now.'),
  })
  .meta({ id: 'Account' });

interface Row {
  readonly id: number;
  readonly name: string;
  readonly domain: string | null;
  readonly parent_id: number | null;
}

export function accountRecord(
  { id, name, domain, parent_id }: Row,
  { role, current }: { readonly role?: (typeof roles)[number] | undefined; readonly current: number },
): z.input<typeof account> {
  return {
    id,
    company: name,
    name,
    ...(role === undefined ? {} : { role }),
    customerDomain: domain,
    parentId: parent_id,
    isCurrent: id === current,
  };
}
