import type { Seller, Sellers } from '../../tools/domain/sellers/port.ts';

interface Ways {
  /** Sellers at an address. Made when the first of them is asked: their protocol takes its time to load. */
  agent(): Promise<Sellers>;
  readonly embedded: Sellers;
}

/** One port for all sellers: each is asked in its own way, and the tools cannot tell them apart. */
export function createSellers({ agent, embedded }: Ways): Sellers {
  let made: Promise<Sellers> | undefined;
  const wayTo = async (seller: Seller): Promise<Sellers> => {
    if (seller.source.executionType === 'MANAGED_SALES_AGENT') return embedded;
    made ??= agent();
    return made;
  };
  return {
    getProducts: async (seller, ...asked) => (await wayTo(seller)).getProducts(seller, ...asked),
    createMediaBuy: async (seller, ...asked) => (await wayTo(seller)).createMediaBuy(seller, ...asked),
    getMediaBuy: async (seller, ...asked) => (await wayTo(seller)).getMediaBuy(seller, ...asked),
    updateMediaBuy: async (seller, ...asked) => (await wayTo(seller)).updateMediaBuy(seller, ...asked),
    getDelivery: async (seller, ...asked) => (await wayTo(seller)).getDelivery(seller, ...asked),
    getUpdateTask: async (seller, ...asked) => (await wayTo(seller)).getUpdateTask(seller, ...asked),
    listAccounts: async (seller, ...asked) => (await wayTo(seller)).listAccounts(seller, ...asked),
    declaration: async (seller, ...asked) => (await wayTo(seller)).declaration(seller, ...asked),
    abilities: async (seller, ...asked) => (await wayTo(seller)).abilities(seller, ...asked),
  };
}
