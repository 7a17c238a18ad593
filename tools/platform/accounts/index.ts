import { defineFamily } from '../../core/families.ts';
import { accountCreate } from './account-create.ts';
import { accountGet } from './account-get.ts';
import { accountList } from './account-list.ts';
import { accountSwitch } from './account-switch.ts';

/** Organizations, as accounts of a person and below one another. */
export const accounts = defineFamily({
  surface: 'platform',
  toolset: 'accounts',
  tools: [accountList, accountGet, accountCreate, accountSwitch],
});
