import { defineFamily } from '../../core/families.ts';
import { advertiserCreate } from './advertiser-create.ts';
import { advertiserGet } from './advertiser-get.ts';
import { advertiserList } from './advertiser-list.ts';
import { advertiserUpdate } from './advertiser-update.ts';

export const advertisers = defineFamily({
  surface: 'buyer',
  toolset: 'advertisers',
  inDefaultList: true,
  tools: [advertiserList, advertiserGet, advertiserCreate, advertiserUpdate],
});
