import { defineFamily } from '../../core/families.ts';
import { productCreate } from './product-create.ts';
import { productDelete } from './product-delete.ts';
import { productGet } from './product-get.ts';
import { productList } from './product-list.ts';
import { productUpdate } from './product-update.ts';

export const products = defineFamily({
  surface: 'storefront',
  toolset: 'selling',
  inDefaultList: true,
  tools: [productList, productGet, productCreate, productUpdate, productDelete],
});
