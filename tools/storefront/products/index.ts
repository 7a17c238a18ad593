import { defineFamily } from '../../core/families.ts';
import { productCreate } from './product-create.ts';
import { productDelete } from './product-delete.ts';
import { productList } from './product-list.ts';

export const products = defineFamily({
  surface: 'storefront',
  toolset: 'selling',
  inDefaultList: true,
  tools: [productList, productCreate, productDelete],
});
