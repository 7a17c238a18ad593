import { mediaBuyGet } from './media-buy-get.ts';

export const mediaBuys = [mediaBuyGet];
