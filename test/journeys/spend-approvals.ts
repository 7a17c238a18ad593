import type { Step } from './step.ts';

const logged = { type: 'SPEND_APPROVAL', ofAdvertiser: true } as const;

export const steps: readonly Step[] = [
  {
    tool: 'spend_approval_list',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ campaignId: made('waitingCampaignId'), status: 'pending', take: 5, skip: 0 }),
    names: { campaignId: 'filter' },
  },
  {
    tool: 'spend_approval_get',
    by: 'buyer',
    needs: 'buyer:read',
    args: (made) => ({ approvalId: made('spendApprovalId') }),
    names: { approvalId: 'advertiser' },
  },
  {
    tool: 'spend_approval_approve',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ approvalId: made('spendApprovalId') }),
    after: ['spend_approval_list'],
    names: { approvalId: 'organization' },
    logged: { ...logged, id: 'spendApprovalId' },
    alsoLogged: ['CAMPAIGN', 'MEDIA_BUY'],
  },
  {
    tool: 'spend_approval_reject',
    by: 'buyer',
    needs: 'browser:admin',
    args: (made) => ({ approvalId: made('otherSpendApprovalId'), reason: 'Too much for this quarter.' }),
    names: { approvalId: 'organization' },
    logged: { ...logged, id: 'otherSpendApprovalId' },
  },
];
