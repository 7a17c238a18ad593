import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow, ProposedBuy } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { PackageUpdate } from '../sellers/abilities.ts';
import type { BuyUpdate } from '../sellers/port.ts';
import { reaches } from './change-refusing.ts';
import { type Found, insteadOf, isOfTerms } from './change-standing.ts';
import { termsOf } from './change-terms.ts';
import { columnsProposed } from './columns-proposed.ts';
import type { Asked, Terms } from './wanted-change.ts';

/**
 * What a change comes to beside those of which nobody knows whether their seller took them. It says all that they asked
 * for once more, and its own on top: whatever the seller had of them, after this one it has what was asked last. Pure.
 */
export function termsOnTop(found: Found, within: Parameters<typeof termsOf>[2]): Terms {
  const { buy, wanted } = found;
  const own = termsOf(buy, wanted, within);
  const unanswered = insteadOf(wanted, found.open).filter(
    (one) => one.state === 'unknown' && one.action === wanted.action && isOfTerms(one),
  );
  if (unanswered.length === 0) return own;
  const asIfTaken: MediaBuyRow = { ...buy, ...columnsProposed(proposedBy(unanswered)) };
  const last = termsOf(asIfTaken, wanted, within);
  // What no seller is told of, as a name, leaves open what became of what one was told.
  if (!reaches(own) && !reaches(last)) return own;
  return {
    asked: [...unanswered.map(askedBy), last.asked].reduce(both),
    proposed: { ...proposedBy(unanswered), ...last.proposed },
    issues: last.issues,
  };
}

function askedBy({ payload }: MediaBuyChangeRow): Asked {
  const { party: _, idempotencyKey: __, ...asked } = JSON.parse(payload) as BuyUpdate;
  return asked;
}

/** Limits that wait for them are carried by themselves. */
function proposedBy(changes: readonly MediaBuyChangeRow[]): ProposedBuy {
  const { limits: _, ...columns }: ProposedBuy = Object.assign(
    {},
    ...changes.map(({ proposed }) => fromJson(proposed)),
  );
  return columns;
}

function both(before: Asked, after: Asked): Asked {
  const packages = packagesOfBoth(before.packages ?? [], after.packages ?? []);
  return { ...before, ...after, ...(packages.length === 0 ? {} : { packages }) };
}

function packagesOfBoth(
  before: readonly PackageUpdate[],
  after: readonly PackageUpdate[],
): readonly PackageUpdate[] {
  const merged = new Map(before.map((part) => [part.package_id, part]));
  for (const part of after) merged.set(part.package_id, { ...merged.get(part.package_id), ...part });
  return [...merged.values()];
}
