import { defineFamily } from '../../core/families.ts';
import { storefrontGet } from './storefront-get.ts';
import { storefrontList } from './storefront-list.ts';

export const storefronts = defineFamily({
  surface: 'buyer',
  toolset: 'storefronts',
  inDefaultList: true,
  tools: [storefrontList, storefrontGet],
});
