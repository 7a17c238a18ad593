import type { Targeting } from '../../../../store/discovery-selections.ts';
import type { SellerGoal } from '../../campaigns/goals.ts';
import { inWholeUnits } from '../../durations.ts';
import type { BuyingParty, Order, OrderPackage } from '../../sellers/port.ts';

/**
 * What is sent to sellers with lengths of time in whole units, as they take them: caps and goals that were stored
 * before that was asked for have others. An order that its seller may have is repeated to the letter, and is not for
 * here. Pure.
 */

export function wholeOrder(order: Order): Order {
  return { ...order, party: wholeParty(order.party), packages: order.packages.map(wholePackage) };
}

export function wholeParty(party: BuyingParty): BuyingParty {
  const { frequencyCap: cap } = party;
  return cap === undefined ? party : { ...party, frequencyCap: { ...cap, window: inWholeUnits(cap.window) } };
}

export function wholePackage(one: OrderPackage): OrderPackage {
  const { targeting_overlay: overlay, optimization_goals: goals } = one;
  return {
    ...one,
    ...(overlay === undefined ? {} : { targeting_overlay: wholeOverlay(overlay) }),
    ...(goals === undefined ? {} : { optimization_goals: goals.map(wholeGoal) }),
  };
}

type Cap = Partial<Record<'window' | 'suppress', Parameters<typeof inWholeUnits>[0]>>;

function wholeOverlay(overlay: Targeting): Targeting {
  const cap = overlay['frequency_cap'] as Cap | null | undefined;
  if (cap === undefined || cap === null) return overlay;
  const { window, suppress } = cap;
  return {
    ...overlay,
    frequency_cap: {
      ...cap,
      ...(window === undefined ? {} : { window: inWholeUnits(window) }),
      ...(suppress === undefined ? {} : { suppress: inWholeUnits(suppress) }),
    },
  };
}

function wholeGoal(goal: SellerGoal): SellerGoal {
  if (!('target_frequency' in goal) || goal.target_frequency === undefined) return goal;
  const { target_frequency: band } = goal;
  return { ...goal, target_frequency: { ...band, window: inWholeUnits(band.window) } };
}
