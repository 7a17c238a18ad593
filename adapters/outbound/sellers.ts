import type { Seller, Sellers } from '../../tools/ports.ts';

/** One port for all sellers: each is asked in its own way, and the tools cannot tell them apart. */
export function createSellers(ways: { agent: Sellers; managed: Sellers }): Sellers {
  const wayTo = (seller: Seller): Sellers =>
    seller.source.executionType === 'MANAGED_SALES_AGENT' ? ways.managed : ways.agent;
  return {
    getProducts: (seller, query, signal) => wayTo(seller).getProducts(seller, query, signal),
    createMediaBuy: (seller, order, signal) => wayTo(seller).createMediaBuy(seller, order, signal),
    getMediaBuy: (seller, reference, signal) => wayTo(seller).getMediaBuy(seller, reference, signal),
  };
}
