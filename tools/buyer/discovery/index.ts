import { defineFamily } from '../../core/families.ts';
import { sessionMachine } from '../../domain/discovery/machines.ts';
import { browseProducts } from './browse-products.ts';
import { discoverProducts } from './discover-products.ts';
import { discoveryAddProducts } from './discovery-add-products.ts';
import { discoveryApplyProposal } from './discovery-apply-proposal.ts';
import { discoveryEvents } from './discovery-events.ts';
import { discoveryListProducts } from './discovery-list-products.ts';
import { discoveryProductGet } from './discovery-product-get.ts';
import { discoveryRemoveProducts } from './discovery-remove-products.ts';
import { productQuery } from './product-query.ts';

export const discovery = defineFamily({
  surface: 'buyer',
  toolset: 'discovery',
  inDefaultList: true,
  tools: [
    discoverProducts,
    browseProducts,
    discoveryAddProducts,
    discoveryListProducts,
    discoveryProductGet,
    discoveryRemoveProducts,
    discoveryApplyProposal,
    productQuery,
  ],
  streams: [discoveryEvents],
  machines: [sessionMachine],
});
