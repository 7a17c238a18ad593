import { defineFamily } from '../../core/families.ts';
import { accountCreate } from './account-create.ts';
import { accountDelete } from './account-delete.ts';
import { accountDomainUpdate } from './account-domain-update.ts';
import { accountGet } from './account-get.ts';
import { accountList } from './account-list.ts';
import { accountMembershipGet } from './account-membership-get.ts';
import { accountMembershipUpdate } from './account-membership-update.ts';
import { accountSwitch } from './account-switch.ts';

/** Organizations, as accounts of a person and below one another. */
export const accounts = defineFamily({
  surface: 'platform',
  toolset: 'accounts',
  tools: [
    accountList,
    accountGet,
    accountCreate,
    accountSwitch,
    accountDomainUpdate,
    accountMembershipGet,
    accountMembershipUpdate,
    accountDelete,
  ],
});
