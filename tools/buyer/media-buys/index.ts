import { defineFamily } from '../../core/families.ts';
import { mediaBuyGet } from './media-buy-get.ts';

export const mediaBuys = defineFamily({
  surface: 'buyer',
  toolset: 'campaigns',
  inDefaultList: true,
  tools: [mediaBuyGet],
});
