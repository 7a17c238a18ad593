import type { Standing } from '../../sellers/lateness.ts';
import type { Seller } from '../../sellers/port.ts';

/** Who is known to answer is asked first, who is known to be late last. */
const ORDER: readonly Standing[] = ['prompt', 'unknown', 'late'];

/**
 * Whose turn it is to be asked. Of those that wait, the organization that has the fewest of its sellers under way
 * is next, so that sellers which hang hold up their own organization and nobody else. Sellers known to answer go
 * first; those known to be late go last, and weigh on their organization from the beginning. Among those of whom
 * nothing is known the organizations are drawn anew for each session: in an order of their own, whoever came here
 * with two hundred of them would stand before everybody who came later, for good.
 */
export class Turns {
  /** By standing, then by organization, in the order in which they were given or drawn. */
  readonly #waiting: readonly Map<number, Seller[]>[] = ORDER.map(() => new Map());
  readonly #underWay = new Map<number, number>();

  /** `draw`: a text that nobody knows beforehand, such as the id of a session. */
  constructor(sellers: readonly Seller[], standing: (seller: Seller) => Standing, draw: string) {
    for (const seller of drawn(sellers, draw)) {
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

/** The sellers by the lots of their organizations, those of one in the order in which they were given. */
function drawn(sellers: readonly Seller[], draw: string): Seller[] {
  const lots = new Map<number, number>();
  for (const seller of sellers) lots.set(ownerOf(seller), lotOf(draw, ownerOf(seller)));
  const lot = (seller: Seller) => lots.get(ownerOf(seller)) ?? 0;
  return [...sellers].sort((one, other) => lot(one) - lot(other));
}

/** A number of 32 bits that a text and an organization come to (FNV-1a, and the last step of MurmurHash3). */
function lotOf(draw: string, owner: number): number {
  let lot = 0x811c9dc5;
  for (const sign of `${draw} ${owner}`) lot = Math.imul(lot ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  lot = Math.imul(lot ^ (lot >>> 16), 0x85ebca6b);
  lot = Math.imul(lot ^ (lot >>> 13), 0xc2b2ae35);
  return (lot ^ (lot >>> 16)) >>> 0;
}

function ownerOf({ source }: Seller): number {
  return source.organizationId;
}
