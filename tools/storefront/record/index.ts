import { defineFamily } from '../../core/families.ts';
import { storefrontRecordCreate } from './storefront-record-create.ts';
import { storefrontRecordGet } from './storefront-record-get.ts';
import { storefrontRecordUpdate } from './storefront-record-update.ts';

export const storefrontRecord = defineFamily({
  surface: 'storefront',
  toolset: 'selling',
  inDefaultList: true,
  tools: [storefrontRecordGet, storefrontRecordCreate, storefrontRecordUpdate],
});
