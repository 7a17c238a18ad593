import type { Standing } from '../sellers/lateness.ts';
import type { Seller } from '../sellers/port.ts';

/** Who is known to answer is asked first, who is known to be late last. */
const ORDER: readonly Standing[] = ['prompt', 'unknown', 'late'];

/**
 * Whose turn it is to be asked. Of those that wait, the organization that has the fewest of its sellers under way
 * is next, so that sellers which hang hold up their own organization and nobody else. Sellers known to answer go
 * first; those known to be late go last, and weigh on their organization from the beginning.
 */
export class Turns {
  /** By standing, then by organization, in the order in which they were given. */
  readonly #waiting: readonly Map<number, Seller[]>[] = ORDER.map(() => new Map());
  readonly #underWay = new Map<number, number>();

  constructor(sellers: readonly Seller[], standing: (seller: Seller) => Standing) {
    for (const seller of sellers) {
      const known = standing(seller);
      const owner = ownerOf(seller);
      const queues = this.#waiting[ORDER.indexOf(known)];
      const queue = queues?.get(owner);
      if (queue === undefined) queues?.set(owner, [seller]);
      else queue.push(seller);
      if (known === 'late') this.#count(owner, 1);
    }
  }

  /** The seller to be asked now; undefined when nobody waits. */
  next(): Seller | undefined {
    const queues = this.#waiting.find(({ size }) => size > 0);
    if (queues === undefined) return undefined;
    const owner = this.#leastBusy(queues.keys());
    const queue = queues.get(owner) ?? [];
    const seller = queue.shift();
    if (queue.length === 0) queues.delete(owner);
    this.#count(owner, 1);
    return seller;
  }

  /** The seller has settled. */
  over(seller: Seller): void {
    this.#count(ownerOf(seller), -1);
  }

  /** The first of the least busy. Most have nothing under way: the rest of them need not be looked at then. */
  #leastBusy(owners: Iterable<number>): number {
    let least = { owner: 0, busy: Number.POSITIVE_INFINITY };
    for (const owner of owners) {
      const busy = this.#underWay.get(owner) ?? 0;
      if (busy < least.busy) least = { owner, busy };
      if (busy <= 0) break;
    }
    return least.owner;
  }

  #count(owner: number, by: number): void {
    this.#underWay.set(owner, (this.#underWay.get(owner) ?? 0) + by);
  }
}

function ownerOf({ source }: Seller): number {
  return source.organizationId;
}
