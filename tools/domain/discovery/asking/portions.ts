import type { DiscoveryProposalRow } from '../../../../store/discovery-proposals.ts';
import type { DiscoveryAgentRow } from '../../../../store/discovery-sessions.ts';
import type { GoneGroup, NewGroup } from './revisions.ts';

/**
 * Groups of a landing larger than this are spread over several revisions. A revision is stored in one commit, which
 * writes its products twice, as rows and as what is sent: others wait for it, and a commit of a megabyte is short.
 */
const PAYLOAD_MAX_BYTES = 300_000;
/** Products of one revision: no transaction is longer than that. */
const PRODUCTS_MAX = 300;

/** A seller that has settled, and what it brought. */
export interface Landed {
  readonly agent: DiscoveryAgentRow;
  readonly groups: readonly NewGroup[];
  /** What it brought before and brings no more. */
  readonly gone?: readonly GoneGroup[];
  readonly proposals?: readonly DiscoveryProposalRow[];
}

/** What one revision tells. */
export interface Portion {
  readonly groups: readonly NewGroup[];
  readonly settled: readonly DiscoveryAgentRow[];
  readonly gone: readonly GoneGroup[];
  readonly proposals: readonly DiscoveryProposalRow[];
}

/** Sellers whose landing is stored together, in as many revisions as it takes. */
export interface Batch {
  readonly landed: readonly Landed[];
  readonly portions: readonly Portion[];
  /** How often storing it has failed. */
  readonly failures: number;
}

/** Puts landings together as far as one revision carries them; what is larger than one is a batch by itself. */
export function batchesOf(landed: readonly Landed[]): Batch[] {
  const together: Landed[][] = [[]];
  let size = NOTHING;
  for (const one of landed) {
    const own = sizeOf(one.groups);
    if (isTooMuch(sum(size, own))) {
      together.push([]);
      size = NOTHING;
    }
    together.at(-1)?.push(one);
    size = sum(size, own);
  }
  return together.filter((list) => list.length > 0).map(batchOf);
}

/** At least one portion, be it empty. */
export function batchOf(landed: readonly Landed[]): Batch {
  const parts = spread(landed.flatMap(({ groups }) => groups));
  const portions = parts.map((groups, index) => {
    // A seller is pending until the last of its groups has landed.
    const settled = index === parts.length - 1 ? landed : [];
    return {
      groups,
      settled: settled.map(({ agent }) => agent),
      gone: settled.flatMap(({ gone = [] }) => gone),
      proposals: settled.flatMap(({ proposals = [] }) => proposals),
    };
  });
  return { landed, portions, failures: 0 };
}

/** The groups in portions that one revision can carry; at least one portion, be it empty. */
function spread(groups: readonly NewGroup[]): NewGroup[][] {
  const parts: NewGroup[][] = [[]];
  let size = NOTHING;
  for (const group of groups) {
    const own = sizeOf([group]);
    if (size.bytes > 0 && isTooMuch(sum(size, own))) {
      parts.push([]);
      size = NOTHING;
    }
    parts.at(-1)?.push(group);
    size = sum(size, own);
  }
  return parts;
}

interface Size {
  readonly bytes: number;
  readonly products: number;
}

const NOTHING: Size = { bytes: 0, products: 0 };

function sum(one: Size, other: Size): Size {
  return { bytes: one.bytes + other.bytes, products: one.products + other.products };
}

function isTooMuch({ bytes, products }: Size): boolean {
  return bytes > PAYLOAD_MAX_BYTES || products > PRODUCTS_MAX;
}

function sizeOf(groups: readonly NewGroup[]): Size {
  const products = groups.flatMap((group) => group.products);
  return {
    products: products.length,
    bytes: products.reduce(
      (bytes, { product, source }) => bytes + Buffer.byteLength(product) + Buffer.byteLength(source ?? ''),
      0,
    ),
  };
}
