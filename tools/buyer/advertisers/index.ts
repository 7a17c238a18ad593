import { defineFamily } from '../../core/families.ts';
import { accountLinkCreate } from './account-link-create.ts';
import { accountLinkDelete } from './account-link-delete.ts';
import { accountLinkGet } from './account-link-get.ts';
import { accountLinkList } from './account-link-list.ts';
import { advertiserCreate } from './advertiser-create.ts';
import { advertiserDelete } from './advertiser-delete.ts';
import { advertiserGet } from './advertiser-get.ts';
import { advertiserList } from './advertiser-list.ts';
import { advertiserRestore } from './advertiser-restore.ts';
import { advertiserUpdate } from './advertiser-update.ts';
import { availableAccountList } from './available-account-list.ts';
import { brandResolve } from './brand-resolve.ts';
import { portfolioGet } from './portfolio-get.ts';

export const advertisers = defineFamily({
  surface: 'buyer',
  toolset: 'advertisers',
  inDefaultList: true,
  tools: [
    advertiserList,
    advertiserGet,
    advertiserCreate,
    advertiserUpdate,
    advertiserDelete,
    advertiserRestore,
    accountLinkList,
    accountLinkGet,
    accountLinkCreate,
    accountLinkDelete,
    availableAccountList,
    brandResolve,
    portfolioGet,
  ],
});
