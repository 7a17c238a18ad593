import type { Kind } from '../../core/kinds.ts';

export const brandKind: Kind = {
  type: 'BRAND',
  word: 'brand',
  lookUp: 'List those that are known with npm run rialto -- brand list.',
};
