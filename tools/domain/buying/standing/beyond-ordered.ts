import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { firstFew } from '../../counted.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { readMoney } from '../../money.ts';
import { totalShown, totalShownIn, totalUnread } from '../answers/shown-total.ts';
import { isUnsent } from '../answers/unsent.ts';
import { packagesLeft } from '../buy-packages.ts';
import { isOpen } from '../changes/change-states.ts';
import { type Unlisted, unlistedIn } from '../changes/given-up.ts';
import { keptIn } from '../changes/kept-budgets.ts';
import { packageOfAll } from '../choice/package-of-all.ts';
import { isBegun, isOpenStatus } from '../machines.ts';
import { askSeller } from '../references.ts';
import { mediaOf, spentOf } from '../spend/buy-commitment.ts';
import { spendByPackage } from '../spend/package-spend.ts';
import { partsBeyond } from './beyond-parts.ts';

/**
 * What is said of a seller that shows far more or less money for its packages than was ordered of it, shows it in
 * another currency, or delivered for more. Pure.
 */

/** Sellers round: a hundredth is not spoken of. */
const HUNDREDTH = 100;

type Changes = readonly MediaBuyChangeRow[];

/** In words; undefined where it shows what was ordered, and in the sandbox, where nothing is owed. */
export function beyondOrdered(buy: MediaBuyRow, changes: Changes): string | undefined {
  if (fromFlag(buy.sandbox) || isUnsent(buy)) return undefined;
  const isOver = !isOpenStatus(buy.status);
  const [delivered, ask] = [deliveredBeyond(buy, changes), isOver ? '' : ` ${askSeller(buy)}.`];
  if (delivered !== undefined) return `${delivered}${ask}`;
  return (isOver ? undefined : shownBeyond(buy, changes)) ?? deliveredInParts(buy, changes, ask);
}

/** All of it is within what was ordered, and a part of it is not. */
function deliveredInParts(buy: MediaBuyRow, changes: Changes, ask: string): string | undefined {
  const parts = partsBeyond(buy, changes);
  if (parts === undefined) return undefined;
  const most = readMoney(orderedOf(buy, changes), buy.currency);
  return `${buy.agent_name} delivered beyond the budget of ${parts}: no more than ${most} is owed of it all.${ask}`;
}

function shownBeyond(buy: MediaBuyRow, changes: Changes): string | undefined {
  const told = packagesLeft(buy);
  const ordered = orderedOf(buy, changes);
  const amiss = notTaken(buy, told, ordered);
  if (amiss !== undefined) return amiss;
  const whole = totalShownIn(buy);
  if (whole !== undefined)
    return inOthers(buy, { what: buy.adcp_media_buy_id ?? 'it', codes: whole, ordered });
  const all = totalShown(buy);
  if (all !== undefined) return totalBeyond(buy, grossBudgetOf(all, buy.fee_bps), ordered);
  const gross = shownFor(buy, told);
  return isBeyond(buy, gross, ordered)
    ? `${shownInWords(buy, told)}, ${owedOf(ordered, buy.currency)} ${askSeller(buy)}.`
    : undefined;
}

/** What is shown of the money of its packages, and is not read as any. */
function notTaken(buy: MediaBuyRow, told: readonly Part[], ordered: number): string | undefined {
  const others = told.filter(({ shown_in }) => shown_in !== undefined);
  if (others.length > 0) return shownInOthers(buy, others, ordered);
  const apart = told.filter(({ listed_apart }) => listed_apart !== undefined);
  if (apart.length > 0) return listedApart(buy, apart, ordered);
  const [words] = told.flatMap(({ unread }) => Object.values(unread ?? {}));
  const unread = told.filter((part) => part.unread !== undefined);
  if (words !== undefined) return unreadInWords(buy, { words, what: namesOf(unread), ordered });
  const total = totalUnread(buy);
  if (total === undefined) return undefined;
  return unreadInWords(buy, { words: total, what: buy.adcp_media_buy_id ?? 'all of it', ordered });
}

function deliveredBeyond(buy: MediaBuyRow, changes: Changes): string | undefined {
  const { agent_name, currency, fee_bps, spend_minor } = buy;
  const ordered = orderedOf(buy, changes);
  const gross = grossBudgetOf(spend_minor, fee_bps);
  if (!isBeyond(buy, gross, ordered)) return deliveredUnordered(buy, ordered);
  return `${agent_name} delivered for ${readMoney(gross, currency)}, ${owedOf(ordered, currency)}`;
}

/** Nothing is bound for what was never ordered, and called off: what was spent of it is told all the same. */
function deliveredUnordered(buy: MediaBuyRow, ordered: number): string | undefined {
  const told = spendByPackage(buy);
  const ids = fromJson(buy.packages).flatMap(({ package_id, never_ordered }) =>
    never_ordered === true && (told.get(package_id) ?? 0) > 0 ? [package_id] : [],
  );
  if (ids.length === 0) return undefined;
  const spent = ids.reduce((sum, id) => sum + grossBudgetOf(told.get(id) ?? 0, buy.fee_bps), 0);
  const [delivered, owed] = [spent, ordered].map((minor) => readMoney(minor, buy.currency));
  const named = firstFew(ids, { most: NAMED, word: 'package' });
  return `${buy.agent_name} delivered for ${delivered} in ${named}, never ordered and called off: no more than ${owed} is owed of it all.`;
}

/** A raise that waits is bound already, and its seller may show it, or deliver of it, before it is confirmed. */
function orderedOf({ budget_minor }: MediaBuyRow, changes: Changes): number {
  const asked = changes.filter(({ state }) => isOpen(state)).map(({ committed_minor }) => committed_minor);
  return Math.max(budget_minor, ...asked);
}

/**
 * That a seller which has taken the order shows less for it than was ordered, while nothing is asked that could tell
 * why; undefined elsewhere, and where it does not show all of it.
 */
export function belowOrdered(buy: MediaBuyRow, changes: Changes): string | undefined {
  const isTaken = isBegun(buy.status);
  const isAsked = changes.some((change) => isOpen(change.state) && !HOLDS.has(change.action));
  if (!isTaken || isAsked || fromFlag(buy.sandbox)) return undefined;
  const unlisted = unlistedIn(buy);
  if (unlisted.length > 0) return unlistedInWords(buy, unlisted);
  const told = packagesLeft(buy);
  if (!isAllShown(buy, told)) return undefined;
  // What was spent of packages that were called off is in the budget, and shown for none.
  const ordered = buy.budget_minor - keptIn(fromJson(buy.packages));
  const least = ordered - Math.max(buy.budget_minor - grossBudgetOf(mediaOf(buy), buy.fee_bps), 0);
  if (shownFor(buy, told) >= least - least / HUNDREDTH) return undefined;
  const bound = readMoney(ordered, buy.currency);
  // Below what was spent no budget is taken.
  const canFollow = shownFor(buy, told) >= spentOf(buy);
  const or = canFollow ? '; or ask for what it shows with media_buy_update, which releases the rest' : '';
  return `${shownInWords(buy, told)}, where ${bound} were ordered, which stay bound. ${askSeller(buy)}, to show what was ordered${or}.`;
}

/** How many are named. */
const NAMED = 5;

function unlistedInWords(buy: MediaBuyRow, unlisted: readonly Unlisted[]): string {
  const ids = unlisted.map(({ product }) => product.product_id);
  const named = firstFew(ids, { most: NAMED, word: 'product' });
  const free = readMoney(
    unlisted.reduce((sum, { freeMinor }) => sum + freeMinor, 0),
    buy.currency,
  );
  return `${buy.agent_name} lists no package for ${named}, where ${free} stay bound. ${askSeller(buy)}, to take what was ordered; or give it up with media_buy_update and products, each with its productId and remove true, which releases that.`;
}

/** Changes of nothing that was ordered. */
const HOLDS: ReadonlySet<string> = new Set(['pause', 'resume']);

type Part = ReturnType<typeof packagesLeft>[number];

/** Each product that has a budget has a package, and each package one: a sum of some is not that of all. */
function isAllShown(buy: MediaBuyRow, told: readonly Part[]): boolean {
  const ordered = fromJson(buy.products).filter(({ budget_minor }) => budget_minor > 0);
  const spentAlone = fromJson(buy.packages).filter(({ kept_minor = 0 }) => kept_minor > 0);
  const isOneOfAll = packageOfAll(fromJson(buy.packages)) !== undefined;
  const least = isOneOfAll ? 1 : Math.max(1, ordered.length - spentAlone.length);
  const isShown = ({ budget_minor, shown_in, listed_apart = [], unread }: Part) =>
    budget_minor !== null &&
    [shown_in, unread?.budget].every((one) => one === undefined) &&
    !listed_apart.includes('budget');
  return told.length >= least && told.every(isShown);
}

/** With its fee. */
function shownFor({ fee_bps }: MediaBuyRow, told: readonly Part[]): number {
  return grossBudgetOf(
    told.reduce((sum, part) => sum + (part.budget_minor ?? 0), 0),
    fee_bps,
  );
}

function shownInWords(buy: MediaBuyRow, told: readonly Part[]): string {
  return `${buy.agent_name} shows ${readMoney(shownFor(buy, told), buy.currency)} for ${namesOf(told)}`;
}

function namesOf([only, ...others]: readonly Part[]): string {
  return only !== undefined && others.length === 0 ? only.package_id : 'its packages';
}

/** Amounts in another currency say nothing of what is owed. */
function shownInOthers(buy: MediaBuyRow, told: readonly Part[], ordered: number): string {
  const codes = [...new Set(told.map(({ shown_in }) => shown_in))].join(', ');
  return inOthers(buy, { what: namesOf(told), codes, ordered });
}

function totalBeyond(buy: MediaBuyRow, gross: number, ordered: number): string | undefined {
  if (!isBeyond(buy, gross, ordered)) return undefined;
  const { agent_name, currency } = buy;
  return `${agent_name} shows ${readMoney(gross, currency)} for all of it, ${owedOf(ordered, currency)} ${askSeller(buy)}.`;
}

function inOthers(
  buy: MediaBuyRow,
  { what, codes, ordered }: { readonly what: string; readonly codes: string; readonly ordered: number },
): string {
  const { agent_name, currency } = buy;
  const bound = readMoney(ordered, currency);
  return `${agent_name} shows ${what} in ${codes}, of a buy in ${currency}: no amount of that was taken, and ${bound} stay bound. ${askSeller(buy)}, to show it in ${currency}.`;
}

function unreadInWords(
  buy: MediaBuyRow,
  { words, what, ordered }: { readonly words: string; readonly what: string; readonly ordered: number },
): string {
  const bound = readMoney(ordered, buy.currency);
  return `${buy.agent_name} shows ${words}, for ${what}: nothing of that was taken, and ${bound} stay bound. ${askSeller(buy)}, to show what was ordered.`;
}

/** Of entries that contradict each other nobody knows which one holds. */
function listedApart(buy: MediaBuyRow, told: readonly Part[], ordered: number): string {
  const fields = [...new Set(told.flatMap(({ listed_apart = [] }) => listed_apart))].join(', ');
  const bound = readMoney(ordered, buy.currency);
  return `${buy.agent_name} lists ${namesOf(told)} more than once, each time with another ${fields}: nothing of that was taken, and ${bound} stay bound. ${askSeller(buy)}, to list each package once.`;
}

function isBeyond(buy: MediaBuyRow, gross: number, ordered: number): boolean {
  const most = Math.max(ordered, grossBudgetOf(mediaOf(buy), buy.fee_bps));
  return gross > most + most / HUNDREDTH;
}

function owedOf(ordered: number, currency: string): string {
  const owed = readMoney(ordered, currency);
  return `where ${owed} were ordered: no more than ${owed} is owed.`;
}
