import type { Role } from '../../../store/memberships.ts';

/** What the pages call the roles of people. */
export const roleWords: Readonly<Record<Role, string>> = {
  SUPER_ADMIN: 'Super administrator',
  ADMIN: 'Administrator',
  MEMBER: 'Member',
  READ_ONLY: 'Reader',
};
