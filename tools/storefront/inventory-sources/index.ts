import { defineFamily } from '../../core/families.ts';
import { inventorySourceCreate } from './inventory-source-create.ts';
import { inventorySourceDelete } from './inventory-source-delete.ts';
import { inventorySourceGet } from './inventory-source-get.ts';
import { inventorySourceList } from './inventory-source-list.ts';
import { inventorySourceUpdate } from './inventory-source-update.ts';
import { sourceMachine } from './machines.ts';

export const inventorySources = defineFamily({
  surface: 'storefront',
  toolset: 'selling',
  inDefaultList: true,
  tools: [
    inventorySourceList,
    inventorySourceGet,
    inventorySourceCreate,
    inventorySourceUpdate,
    inventorySourceDelete,
  ],
  machines: [sourceMachine],
});
