import type { Sellers } from '../../../tools/domain/sellers/port.ts';

const never = () => Promise.reject(new Error('Nobody is to change a media buy here.'));

/** The part of the sellers' port that a test has no use for. */
export const unchangingSellers: Pick<
  Sellers,
  'getDelivery' | 'updateMediaBuy' | 'getUpdateTask' | 'declaration' | 'abilities' | 'listAccounts'
> = {
  getDelivery: never,
  updateMediaBuy: never,
  getUpdateTask: never,
  declaration: async () => ({ sandbox: false }),
  abilities: never,
  listAccounts: never,
};
