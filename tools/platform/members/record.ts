import { z } from 'zod';
import type { InvitationRow } from '../../../store/invitations.ts';
import type { MemberRow } from '../../../store/members.ts';
import { roles } from '../../../store/memberships.ts';
import { outputId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const roleField = z
  .enum(roles)
  .describe('SUPER_ADMIN and ADMIN manage everything, MEMBER buys and sells, READ_ONLY reads.');

export const member = z
  .object({
    userId: outputId('Id of the person.'),
    email: z.string().describe('E-mail address of the person.'),
    name: z.string().describe('Name of the person.'),
    role: roleField,
    joinedVia: z
      .string()
      .describe('How the person came in: operator, signup, invitation, domain_policy and such.'),
    joinedAt: timestamp.describe('When.'),
  })
  .meta({ id: 'Member' });

export function memberRecord(row: MemberRow): z.input<typeof member> {
  const { user_id, email, name, role, created_via, created_at } = row;
  return { userId: user_id, email, name, role, joinedVia: created_via, joinedAt: created_at };
}

export const invitation = z
  .object({
    id: z.string().describe('Id of the invitation.'),
    email: z.string().describe('Whom it is for: nobody else can accept it.'),
    role: roleField,
    createdAt: timestamp.describe('When it was sent.'),
    expiresAt: timestamp.describe('Until when it can be accepted.'),
  })
  .meta({ id: 'Invitation' });

export function invitationRecord(row: InvitationRow): z.input<typeof invitation> {
  const { id, email, role, created_at, expires_at } = row;
  return { id, email, role, createdAt: created_at, expiresAt: expires_at };
}
