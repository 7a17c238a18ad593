import { defineFamily } from '../../core/families.ts';
import { askMachine, buyMachine, campaignMachine } from '../../domain/buying/machines.ts';
import { mediaBuyKind } from '../../domain/buying/reach.ts';
import { campaignAutoSelectProducts } from './campaign-auto-select-products.ts';
import { campaignCancel } from './campaign-cancel.ts';
import { campaignCreate } from './campaign-create.ts';
import { campaignDelete } from './campaign-delete.ts';
import { campaignExecute } from './campaign-execute.ts';
import { campaignGet } from './campaign-get.ts';
import { campaignGetDelivery } from './campaign-get-delivery.ts';
import { campaignGetMediaBuyStatus } from './campaign-get-media-buy-status.ts';
import { campaignList } from './campaign-list.ts';
import { campaignListProducts } from './campaign-list-products.ts';
import { campaignPause } from './campaign-pause.ts';
import { campaignReactivate } from './campaign-reactivate.ts';
import { campaignUpdate } from './campaign-update.ts';
import { mediaBuyCreateBatch } from './media-buy-create-batch.ts';

export const campaigns = defineFamily({
  surface: 'buyer',
  toolset: 'campaigns',
  inDefaultList: true,
  tools: [
    campaignList,
    campaignGet,
    campaignCreate,
    campaignUpdate,
    campaignAutoSelectProducts,
    campaignListProducts,
    campaignExecute,
    campaignPause,
    campaignReactivate,
    campaignCancel,
    campaignDelete,
    campaignGetMediaBuyStatus,
    campaignGetDelivery,
    mediaBuyCreateBatch,
  ],
  alsoWritesOf: [mediaBuyKind],
  machines: [campaignMachine, buyMachine, askMachine],
});
