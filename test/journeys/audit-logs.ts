import type { Step } from './step.ts';

export const steps: readonly Step[] = [
  {
    tool: 'audit_log_list',
    by: 'buyer',
    args: () => ({ take: 50, skip: 0, outcome: 'succeeded', actorOrigin: 'agent', detail: 'full' }),
    last: true,
    needs: 'buyer:admin',
    names: { advertiserId: 'filter', campaignId: 'filter', actorUserId: 'filter', resourceId: 'filter' },
    rowsBy: 'advertiser_create',
  },
];
