import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { packagesById } from '../buy-packages.ts';
import { isOpenStatus } from '../machines.ts';
import { budgetOf, productsAfter } from './change-packages.ts';
import { withKept } from './kept-budgets.ts';

/** Packages of a buy that are called off, while the others go on. Pure. */

/** The ids of those that are. */
export function calledOffIn({ packages }: Pick<MediaBuyRow, 'packages'>): ReadonlySet<string> {
  return new Set(fromJson(packages).flatMap((one) => (one.canceled === true ? one.package_id : [])));
}

/** The ids of those that its seller does not show as over: they can be called off once more. */
export function maybeGoingOnIn({ packages }: Pick<MediaBuyRow, 'packages'>): ReadonlySet<string> {
  const mayGoOn = fromJson(packages).filter((one) => (one.shown_on ?? one.listed_on) === true);
  return new Set(mayGoOn.map(({ package_id }) => package_id));
}

/** Whether a buy lives, and all that its seller named of it are and stay so: nothing of it is left to run. */
export function hasNothingLeft({ status, packages }: Pick<MediaBuyRow, 'status' | 'packages'>): boolean {
  const told = fromJson(packages);
  const isOver = told.every(({ canceled, shown_on }) => canceled === true && shown_on !== true);
  return isOpenStatus(status) && told.length > 0 && isOver;
}

const NOTHING_LEFT = 'All its packages were called off: nothing of it runs any more.';
const END_IT =
  'You: end it with campaign_cancel, or with mediaBuys and action cancel of campaign_update, and choose products anew for what is still to run.';

/** What is said of such a buy; undefined of others. `ends`: its end was asked for, and waits. */
export function nothingLeftInWords(
  buy: Pick<MediaBuyRow, 'status' | 'packages'>,
  { ends }: { readonly ends: boolean },
): string | undefined {
  if (!hasNothingLeft(buy)) return undefined;
  return ends ? NOTHING_LEFT : `${NOTHING_LEFT} ${END_IT}`;
}

/** Packages with those of before that are to be among them, each in its place, where their seller lists them or not. */
export function withThose(
  packages: readonly BuyPackage[],
  before: readonly BuyPackage[],
  isToStay: (part: BuyPackage) => boolean,
): BuyPackage[] {
  const listed = new Set(packages.map(({ package_id }) => package_id));
  const all = [...packages];
  for (const [at, part] of before.entries())
    if (!listed.has(part.package_id) && isToStay(part)) all.splice(at, 0, part);
  return all;
}

type Order = Required<Pick<ProposedBuy, 'packages' | 'products' | 'budget_minor'>>;

/** What a buy is once these are called off, as it stands or as it is to be otherwise. */
export function withCalledOff(
  buy: MediaBuyRow,
  ids: ReadonlySet<string>,
  { packages = fromJson(buy.packages), products = fromJson(buy.products) }: ProposedBuy = {},
): Order {
  const known = packagesById(buy);
  const calledOff = packages.map((part): BuyPackage => {
    if (!ids.has(part.package_id)) return part;
    const { shown_on: _on, listed_on: _listed, ...ended } = part;
    return { ...ended, canceled: true, ...endedAs(known.get(part.package_id)) };
  });
  const before = { ...buy, products: toJson(products), packages: toJson(packages) };
  const left = withKept(before, calledOff);
  const after = productsAfter(before, left, new Map());
  return { packages: left, products: after, budget_minor: budgetOf(buy, after) };
}

/** What is known of its end, where it was called off before. */
function endedAs(part: BuyPackage | undefined): Partial<BuyPackage> {
  const { kept_minor, ended_by_seller, never_ordered } = part ?? {};
  return {
    ...(kept_minor === undefined ? {} : { kept_minor }),
    ...(ended_by_seller === undefined ? {} : { ended_by_seller }),
    ...(never_ordered === undefined ? {} : { never_ordered }),
  };
}
