import { defineFamily } from '../../core/families.ts';
import { askMachine } from '../../domain/buying/machines.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { mediaBuyGet } from './media-buy-get.ts';
import { mediaBuyGetPackages } from './media-buy-get-packages.ts';
import { mediaBuyPause } from './media-buy-pause.ts';
import { mediaBuyReactivate } from './media-buy-reactivate.ts';
import { mediaBuyUpdate } from './media-buy-update.ts';

export const mediaBuys = defineFamily({
  surface: 'buyer',
  toolset: 'campaigns',
  inDefaultList: true,
  tools: [mediaBuyGet, mediaBuyGetPackages, mediaBuyUpdate, mediaBuyPause, mediaBuyReactivate],
  alsoWritesOf: [campaignKind],
  machines: [askMachine],
});
