import { campaignCreate } from './campaign-create.ts';
import { campaignExecute } from './campaign-execute.ts';
import { campaignGet } from './campaign-get.ts';
import { campaignGetMediaBuyStatus } from './campaign-get-media-buy-status.ts';
import { campaignList } from './campaign-list.ts';

export const campaigns = [
  campaignList,
  campaignGet,
  campaignCreate,
  campaignExecute,
  campaignGetMediaBuyStatus,
];
