import { storefrontGet } from './storefront-get.ts';
import { storefrontList } from './storefront-list.ts';
import { storefrontRecordCreate } from './storefront-record-create.ts';
import { storefrontRecordGet } from './storefront-record-get.ts';
import { storefrontRecordUpdate } from './storefront-record-update.ts';

export const storefronts = [
  storefrontList,
  storefrontGet,
  storefrontRecordGet,
  storefrontRecordCreate,
  storefrontRecordUpdate,
];
