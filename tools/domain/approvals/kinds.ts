import { findSpendApproval } from '../../../store/spend-approvals.ts';
import { byRevision, type Kind } from '../../core/kinds.ts';
import { lookUps } from '../look-ups.ts';

export const spendApprovalKind: Kind = {
  type: 'SPEND_APPROVAL',
  word: 'spend approval',
  lookUp: lookUps.spendApproval,
  find: findSpendApproval,
  versioned: byRevision,
};

export const spendLimitKind: Kind = {
  type: 'SPEND_LIMIT',
  word: 'spend limit',
  lookUp: 'Show them with npm run rialto -- approval show.',
};
