import type { Kind } from '../../core/kinds.ts';

export const pricingRuleKind: Kind = {
  type: 'PRICING_RULE',
  word: 'pricing rule',
  lookUp: 'List those that hold with npm run rialto -- pricing list.',
};
