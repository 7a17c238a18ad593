import { defineFamily } from '../../core/families.ts';
import { invitationCreate } from './invitation-create.ts';
import { invitationDelete } from './invitation-delete.ts';
import { invitationList } from './invitation-list.ts';
import { memberDelete } from './member-delete.ts';
import { memberList } from './member-list.ts';
import { memberUpdate } from './member-update.ts';

/** The people of the organization, managed by people. */
export const members = defineFamily({
  surface: 'platform',
  toolset: 'members',
  tools: [memberList, memberUpdate, memberDelete, invitationList, invitationCreate, invitationDelete],
});
