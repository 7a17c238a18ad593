import { packagePacings } from '../../store/media-buy-packages.ts';
import { DAY_MS, momentAfter } from '../../tools/core/moments.ts';
import { asFields, isDay, isFields } from '../../tools/core/schemas/checks.ts';
import {
  eachOnce,
  type SellerPackage,
  type ShownTimes,
  type ShownTotal,
  type Unread,
} from '../../tools/domain/sellers/seller-package.ts';
import { sellerId, sellerText } from '../../tools/domain/text.ts';
import { readFailure } from './adcp-wire.ts';

/** How the parts of a seller's answer are read, whatever it is the answer to. */

const MESSAGE_MAX = 500;
export const STATUS_MAX = 64;
/** More packages than a choice has products are nothing that was ordered. */
const PACKAGES_MAX = 1_000;
/** The largest amount a seller may name, in major units: no campaign has more. */
const AMOUNT_MAX = 1e12;

/** States of a task that has not ended (AdCP, task status). */
export const PENDING_TASKS = new Set(['submitted', 'working', 'input-required', 'auth-required']);
/** States of a task that ended without a buy. */
export const ENDED_TASKS = new Set(['failed', 'rejected', 'canceled']);
/** Where sellers put the buy when it does not stand in the answer itself. */
export const ENVELOPES = ['media_buy', 'result', 'data'];

export type Fields = Readonly<Record<string, unknown>>;

function namesBuy(value: unknown): value is Fields {
  return isFields(value) && readId(value['media_buy_id']) !== undefined;
}

/** An id as it goes back to the seller; numbers are taken by their digits. */
export function readId(value: unknown): string | undefined {
  return sellerId(Number.isSafeInteger(value) ? String(value) : value);
}

export function asWord(value: unknown): string | undefined {
  return sellerText(value, STATUS_MAX)?.toLowerCase();
}

export function entriesIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.slice(0, PACKAGES_MAX).filter(isFields) : [];
}

export function messageIn(fields: Fields): { message?: string } {
  const message = sellerText(fields['message'], MESSAGE_MAX);
  return message === undefined ? {} : { message };
}

/**
 * An answer with what it says of a task in a field of its own, `{"task": {"task_id": …, "status": …}}`: beside that a
 * status is that of the asking.
 */
export function taskFields(content: unknown): Fields {
  const fields = asFields(content);
  const task = fields['task'];
  if (!isFields(task) || asWord(task['status']) === undefined || buyIn(fields) !== undefined) return fields;
  return { ...fields, ...task };
}

/** A task that failed says by that alone that nothing was bought. */
export function endedWithoutBuy(task: string | undefined, fields: Fields) {
  if (task === undefined || !ENDED_TASKS.has(task)) return undefined;
  const error = readFailure(fields['error']);
  return (
    error ?? { code: task.toUpperCase(), message: endOf(task, messageIn(fields).message), transient: false }
  );
}

export function endOf(task: string, message: string | undefined): string {
  return message ?? `The seller’s review ended: ${task}.`;
}

/** ISO 4217; what is no such code says nothing. */
export function currencyIn(fields: Fields): string | undefined {
  const code = asWord(fields['currency'])?.toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? code : undefined;
}

/**
 * The packages that have an id; what else is wrong with one is left out of it. `around` is what they stand in, the
 * innermost first: a package that names no currency is in that of its buy (AdCP, package).
 */
export function packagesIn(value: unknown, ...around: readonly Fields[]): SellerPackage[] {
  const listed = entriesIn(value).flatMap((entry): SellerPackage[] => {
    const package_id = readId(entry['package_id']);
    if (package_id === undefined) return [];
    const { paused, canceled } = entry;
    const currency = [entry, ...around].map(currencyIn).find((code) => code !== undefined);
    return [
      {
        package_id,
        product_id: readId(entry['product_id']) ?? null,
        budget: amountOf(entry['budget']),
        ...(currency === undefined ? {} : { currency }),
        ...unreadIn(entry),
        ...(typeof paused === 'boolean' ? { paused } : {}),
        ...(typeof canceled === 'boolean' ? { canceled } : {}),
        ...termsIn(entry),
      },
    ];
  });
  return eachOnce(listed);
}

/**
 * What all of a buy comes to, where it lists no packages that could be read. Of the fields it stands in, the innermost
 * first.
 */
export function totalIn(
  packages: readonly SellerPackage[],
  ...around: readonly Fields[]
): { total?: ShownTotal } {
  if (packages.length > 0) return {};
  const told = around
    .map(({ total_budget }) => total_budget)
    .find((one) => one !== undefined && one !== null);
  const shown = isFields(told) ? told['amount'] : told;
  const amount = amountOf(shown) ?? undefined;
  const unread = unreadAs('budget', shown);
  const currency = [asFields(told), ...around].map(currencyIn).find((code) => code !== undefined);
  const isTold = [amount, unread, currency].some((one) => one !== undefined);
  return isTold ? { total: { amount, currency, ...(unread === undefined ? {} : { unread }) } } : {};
}

/**
 * The packages in a list of buys, which shows each as it stands: one of which it does not say that it is paused, or
 * called off, is not (AdCP, package: both false by default). An answer to a change may have no more of a package than
 * what was changed.
 */
export function listedPackagesIn(value: unknown, ...around: readonly Fields[]): SellerPackage[] {
  return packagesIn(entriesIn(value).map(asListed), ...around);
}

/** Whoever shows the id of a package alone shows nothing of it. */
function asListed(entry: Fields): Fields {
  const isShown = readId(entry['product_id']) !== undefined || amountOf(entry['budget']) !== null;
  if (!isShown) return entry;
  return { ...entry, paused: entry['paused'] ?? false, canceled: entry['canceled'] ?? isEndedThere(entry) };
}

/** Some show the end of a package by who called it off, or by a status of their own alone. */
function isEndedThere({ cancellation, status }: Fields): boolean {
  return isFields(cancellation) || /^cancell?ed$/i.test(asWord(status) ?? '');
}

/** How a package is spent, and whom it reaches, where the seller says so in words of AdCP. */
function termsIn(entry: Fields): Partial<SellerPackage> {
  const word = asWord(entry['pacing']);
  const pacing = packagePacings.find((known) => known === word);
  const bid_price = amountOf(entry['bid_price']);
  const { targeting_overlay } = entry;
  return {
    ...(pacing === undefined ? {} : { pacing }),
    ...(bid_price === null ? {} : { bid_price }),
    ...timesIn(entry),
    ...(isFields(targeting_overlay) ? { targeting_overlay } : {}),
  };
}

/** When something begins and ends: with the day, where its seller names no more than that. */
export function timesIn(entry: Fields): ShownTimes {
  const start_time = momentIn(entry['start_time']);
  const told = momentIn(entry['end_time']);
  const asDays = (['start_time', 'end_time'] as const).filter((name) => namesDay(entry[name]));
  const end_time = told !== undefined && asDays.includes('end_time') ? momentAfter(told, DAY_MS - 1) : told;
  return {
    ...(start_time === undefined ? {} : { start_time }),
    ...(end_time === undefined ? {} : { end_time }),
    ...(asDays.length === 0 ? {} : { asDays }),
  };
}

/** Whether a seller names a day alone. */
export function namesDay(value: unknown): boolean {
  return isDay(sellerText(value, STATUS_MAX));
}

/** It would be read in the time zone of this machine, which no seller knows. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/** A moment of a year of four digits: others sort wrongly as text, and are nobody's. */
export function momentIn(value: unknown): string | undefined {
  const text = sellerText(value, STATUS_MAX) ?? '';
  const told = Date.parse(text.replace(WITHOUT_ZONE, '$1T$2Z'));
  const moment = Number.isNaN(told) ? '' : new Date(told).toISOString();
  return /^\d{4}-/.test(moment) ? moment : undefined;
}

function amountOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= AMOUNT_MAX ? value : null;
}

/** The amounts of a package that can be none. */
function unreadIn({ budget, bid_price }: Fields): { unread?: Unread } {
  const [ofBudget, ofBid] = [unreadAs('budget', budget), unreadAs('bid', bid_price)];
  if (ofBudget === undefined && ofBid === undefined) return {};
  return {
    unread: {
      ...(ofBudget === undefined ? {} : { budget: ofBudget }),
      ...(ofBid === undefined ? {} : { bid_price: ofBid }),
    },
  };
}

/** A number is repeated; of what is none it is said alone, because it may be of any length. */
function unreadAs(what: string, told: unknown): string | undefined {
  if ((told ?? null) === null || amountOf(told) !== null) return undefined;
  return typeof told === 'number'
    ? `${told} as a ${what}, which can be none`
    : `as a ${what} what is no number`;
}

/** The part of an answer that names a buy, also where it stands in another; undefined where none does. */
export function buyIn(fields: Fields): Fields | undefined {
  const within = enveloped(fields);
  return [fields, ...within, ...within.flatMap(enveloped)].find(namesBuy);
}

function enveloped(fields: Fields): Fields[] {
  return ENVELOPES.map((name) => fields[name]).filter(isFields);
}

/** More words than any list of actions has. */
const WORDS_MAX = 40;

/** The words of a list; undefined where there is no list. */
export function wordsIn(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.slice(0, WORDS_MAX).flatMap((word) => asWord(word) ?? []) : undefined;
}
