import type { Step } from './step.ts';

const logged = { type: 'MEMBER', id: 'memberId' } as const;
const invitation = {
  type: 'INVITATION',
  id: 'invitationId',
  called: /^guest-\d+@journey\.example$/,
} as const;

export const steps: readonly Step[] = [
  {
    tool: 'member_list',
    by: 'buyer',
    needs: 'buyer:admin',
    overRestAlone: true,
    ofOrganization: true,
    args: () => ({ take: 5, skip: 0 }),
  },
  {
    tool: 'member_update',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ userId: made('memberId'), role: 'READ_ONLY' }),
    names: { userId: 'organization' },
    logged,
  },
  {
    tool: 'invitation_create',
    by: 'buyer',
    needs: 'browser:admin',
    // Another one in each walk: so many mails go to one address and no more.
    args: (made) => ({ email: `guest-${made('memberId')}@journey.example`, role: 'MEMBER' }),
    gives: { invitationId: 'id' },
    logged: invitation,
  },
  {
    tool: 'invitation_list',
    by: 'buyer',
    needs: 'buyer:admin',
    overRestAlone: true,
    ofOrganization: true,
    rowsBy: 'invitation_create',
    args: () => ({ take: 5, skip: 0 }),
  },
  {
    tool: 'invitation_delete',
    by: 'buyer',
    needs: 'buyer:admin',
    overRestAlone: true,
    args: (made) => ({ id: made('invitationId') }),
    last: true,
    names: { id: 'organization' },
    logged: invitation,
  },
  {
    tool: 'member_delete',
    by: 'buyer',
    needs: 'buyer:admin',
    overRestAlone: true,
    args: (made) => ({ userId: made('memberId') }),
    last: true,
    names: { userId: 'organization' },
    logged,
  },
];
