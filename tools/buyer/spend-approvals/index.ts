import { defineFamily } from '../../core/families.ts';
import { approvalMachine } from '../../domain/approvals/machines.ts';
import { spendApprovalApprove } from './spend-approval-approve.ts';
import { spendApprovalGet } from './spend-approval-get.ts';
import { spendApprovalList } from './spend-approval-list.ts';
import { spendApprovalReject } from './spend-approval-reject.ts';

/** Spends above the limit of an organization, which another person has to allow. */
export const spendApprovals = defineFamily({
  surface: 'buyer',
  toolset: 'campaigns',
  tools: [spendApprovalList, spendApprovalGet, spendApprovalApprove, spendApprovalReject],
  machines: [approvalMachine],
});
