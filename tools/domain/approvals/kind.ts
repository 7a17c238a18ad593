import type { Kind } from '../../core/kinds.ts';

export const spendApprovalKind: Kind = {
  type: 'SPEND_APPROVAL',
  word: 'spend approval',
  lookUp: 'List those that wait with spend_approval_list.',
};

export const spendLimitKind: Kind = {
  type: 'SPEND_LIMIT',
  word: 'spend limit',
  lookUp: 'Show them with npm run rialto -- approval show.',
};
