import { defineFamily } from '../../core/families.ts';
import { buyMachine, campaignMachine } from '../../domain/buying/machines.ts';
import { mediaBuyKind } from '../../domain/buying/reach.ts';
import { campaignCreate } from './campaign-create.ts';
import { campaignExecute } from './campaign-execute.ts';
import { campaignGet } from './campaign-get.ts';
import { campaignGetMediaBuyStatus } from './campaign-get-media-buy-status.ts';
import { campaignList } from './campaign-list.ts';

export const campaigns = defineFamily({
  surface: 'buyer',
  toolset: 'campaigns',
  inDefaultList: true,
  tools: [campaignList, campaignGet, campaignCreate, campaignExecute, campaignGetMediaBuyStatus],
  alsoWritesOf: [mediaBuyKind],
  machines: [campaignMachine, buyMachine],
});
