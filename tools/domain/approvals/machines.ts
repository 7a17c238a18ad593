import { approvalStates, type SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { type Machine, next } from '../../core/machines.ts';

export const approvalStatuses = [...approvalStates, 'expired'] as const;
type ApprovalStatus = (typeof approvalStatuses)[number];

/** The life of a spend that waits for another person. */
export const approvalMachine: Machine<ApprovalStatus, 'approve' | 'reject' | 'withdraw' | 'expire'> = {
  of: 'spend approval',
  states: approvalStatuses,
  events: {
    approve: {
      meaning: 'Another person allows it, and what was asked for is done.',
      leads: { pending: 'approved' },
    },
    reject: { meaning: 'Another person says no.', leads: { pending: 'rejected' } },
    withdraw: {
      meaning: 'Something else is asked or done in its place, or what it was asked of is over.',
      leads: { pending: 'withdrawn', expired: 'withdrawn' },
    },
    expire: { meaning: 'Nobody decided in time.', leads: { pending: 'expired' } },
  },
};

/** Where an approval stands at a moment. Nothing is written when its time is over. */
export function statusAt({ state, expires_at }: SpendApprovalRow, now: string): ApprovalStatus {
  return state === 'pending' && expires_at <= now ? 'expired' : state;
}

/** The state to write of an approval to which this happens at a moment; undefined where it cannot. */
export function stateAfter(
  row: SpendApprovalRow,
  event: 'approve' | 'reject' | 'withdraw',
  now: string,
): SpendApprovalRow['state'] | undefined {
  const to = next(approvalMachine, statusAt(row, now), event);
  return to === 'expired' ? undefined : to;
}
