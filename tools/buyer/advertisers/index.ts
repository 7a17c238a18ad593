import { advertiserCreate } from './advertiser-create.ts';
import { advertiserGet } from './advertiser-get.ts';
import { advertiserList } from './advertiser-list.ts';
import { advertiserUpdate } from './advertiser-update.ts';

export const advertisers = [advertiserList, advertiserGet, advertiserCreate, advertiserUpdate];
