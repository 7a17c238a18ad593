import { productCreate } from './product-create.ts';
import { productDelete } from './product-delete.ts';
import { productList } from './product-list.ts';

export const products = [productList, productCreate, productDelete];
