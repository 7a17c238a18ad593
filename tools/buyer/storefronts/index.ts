import { storefrontRecordCreate } from '../../storefront/record/storefront-record-create.ts';
import { storefrontRecordGet } from '../../storefront/record/storefront-record-get.ts';
import { storefrontRecordUpdate } from '../../storefront/record/storefront-record-update.ts';
import { storefrontGet } from './storefront-get.ts';
import { storefrontList } from './storefront-list.ts';

export const storefronts = [
  storefrontList,
  storefrontGet,
  storefrontRecordGet,
  storefrontRecordCreate,
  storefrontRecordUpdate,
];
