import { isDeepStrictEqual } from 'node:util';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyGoal } from '../../../../store/media-buy-goals.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import type { WantedChange } from './wanted-change.ts';

/** Other goals of an order that a seller holds: they are told package by package. Pure. */

const NO_GOALS = 'Sellers are told other goals, and never to have none: give one at least.';

export function goalIssues(
  goals: readonly BuyGoal[] | undefined,
  { called }: Pick<WantedChange, 'called'>,
): Issue[] {
  return goals?.length === 0 ? [{ path: called('optimization_goals'), message: NO_GOALS }] : [];
}

/** Other goals for an order that a seller holds. */
export function goalsAfter(
  { optimization_goals: known }: MediaBuyRow,
  { goals, remade }: WantedChange,
): readonly BuyGoal[] | undefined {
  if (goals === undefined || remade !== undefined) return undefined;
  const before = known === null ? [] : fromJson(known);
  return isDeepStrictEqual(JSON.parse(JSON.stringify(goals)), before) ? undefined : goals;
}

/** What is asked of each package: goals are asked of all that are not called off. */
export function partsAsked(
  parts: readonly { readonly asked: PackageUpdate }[],
  goals: readonly BuyGoal[] | undefined,
  known: readonly BuyPackage[],
): PackageUpdate[] {
  const asked = new Map(parts.map((part) => [part.asked.package_id, part.asked]));
  if (goals === undefined) return [...asked.values()];
  for (const { package_id, canceled } of known) {
    if (canceled === true) continue;
    asked.set(package_id, { ...asked.get(package_id), package_id, optimization_goals: goals });
  }
  return [...asked.values()];
}
