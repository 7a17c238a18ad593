import type { DiscoveryProposalRow } from '../../../../store/discovery-proposals.ts';
import { groupWith, type NewGroup } from './revisions.ts';

/** What products take: how many they are, and their bytes. */
export interface Room {
  readonly products: number;
  readonly bytes: number;
}

/** How much a session keeps, in all and of one seller. */
export interface RoomLimits {
  readonly session: Room;
  readonly seller: Room;
}

interface Party {
  readonly agentId: string;
  /** Whoever is behind the seller: its organization. */
  readonly owner: number;
}

/** The largest product that is kept, in bytes: a hundred of them are read at once. */
const PRODUCT_MAX_BYTES = 65_536;

/**
 * The room of a session, shared out between those who are asked: first between organizations, then between the
 * sellers of each, so that nobody gets more by having many. A seller may take more than its part as long as the
 * parts of those that are still to land stay free.
 */
export class Shares {
  readonly #limits: RoomLimits;
  /** What is kept free for each seller that has not landed. */
  readonly #kept: Map<string, Room>;
  /** All of that together. */
  #keptFree: Room;
  #left: Room;

  constructor(parties: readonly Party[], limits: RoomLimits) {
    const sellersOf = new Map<number, number>();
    for (const { owner } of parties) sellersOf.set(owner, (sellersOf.get(owner) ?? 0) + 1);
    const partOf = (whole: number, owner: number) =>
      Math.floor(whole / sellersOf.size / (sellersOf.get(owner) ?? 1));
    const { session } = limits;
    this.#limits = limits;
    this.#left = session;
    this.#kept = new Map(
      parties.map(({ agentId, owner }) => [
        agentId,
        { products: partOf(session.products, owner), bytes: partOf(session.bytes, owner) },
      ]),
    );
    const all = [...this.#kept.values()];
    this.#keptFree = {
      products: all.reduce((sum, room) => sum + room.products, 0),
      bytes: all.reduce((sum, room) => sum + room.bytes, 0),
    };
  }

  /**
   * The first products of a seller that there is room for, how many were left out, and its first proposals that
   * there is room for beside them.
   */
  take(
    agentId: string,
    groups: readonly NewGroup[],
    proposed: readonly DiscoveryProposalRow[] = [],
  ): { groups: NewGroup[]; leftOut: number; proposals: DiscoveryProposalRow[] } {
    this.#release(agentId);
    const { products, bytes } = this.#free();
    const room = { products, bytes };
    let leftOut = 0;
    const taken = groups.flatMap(({ row, products: all }) => {
      const kept = all.filter(({ product, source }) => {
        const size = Buffer.byteLength(product) + Buffer.byteLength(source ?? '');
        const fits = size <= PRODUCT_MAX_BYTES && room.products > 0 && room.bytes >= size;
        if (fits) {
          room.products -= 1;
          room.bytes -= size;
        } else leftOut += 1;
        return fits;
      });
      return kept.length === 0 ? [] : [groupWith(row, kept)];
    });
    const proposals = proposed.filter(({ proposal }) => {
      const size = Buffer.byteLength(proposal);
      const fits = room.bytes >= size;
      if (fits) room.bytes -= size;
      return fits;
    });
    this.#left = {
      products: this.#left.products - (products - room.products),
      bytes: this.#left.bytes - (bytes - room.bytes),
    };
    return { groups: taken, leftOut, proposals };
  }

  /** What the seller that lands now may take. */
  #free(): Room {
    const { seller } = this.#limits;
    return {
      products: Math.max(0, Math.min(seller.products, this.#left.products - this.#keptFree.products)),
      bytes: Math.max(0, Math.min(seller.bytes, this.#left.bytes - this.#keptFree.bytes)),
    };
  }

  /** What was kept for a seller is free from now on. */
  #release(agentId: string): void {
    const { products, bytes } = this.#kept.get(agentId) ?? { products: 0, bytes: 0 };
    this.#kept.delete(agentId);
    this.#keptFree = {
      products: this.#keptFree.products - products,
      bytes: this.#keptFree.bytes - bytes,
    };
  }
}
