import { CURRENCY_WRITTEN, currencyNamed, isPlainWord, isSign } from './currencies-named.ts';
import { NUMBER_WRITTEN, numberRead } from './numbers-written.ts';

/** What instructions in plain words let a product cost. Pure. */

export interface Prices {
  /** The most, in units of the session's currency. */
  readonly limit?: number;
  /** The currency of a price that is not in that of the session: nothing is held against it. */
  readonly pricedIn?: string;
  /** What is said beside. */
  readonly rest: string;
}

const PRICE_WORDS = /\b(?:cpms?|prices?|priced|costs?)\b/i;

const YEAR = /^(?:19|20)\d\d$/;

const BOUND =
  '\\b(?:under|below|at most|up to|no more than|not more than|less than|no higher than' +
  '|max(?:imum)?(?: of)?|not over|not above|over|above|more than)\\b|<=?';

const PRICE = new RegExp(
  [
    '(?:\\b(?:cpm|price|cost)s?\\b\\s*(?:of|is|are|at|to be|be)?\\s*)?',
    `(?<bound>${BOUND})\\s*`,
    '(?:(?:cpm|price|cost)s?\\b\\s*)?(?:(?:of|is|at)\\b\\s*|[:=]\\s*)?',
    `(?:(?<before>${CURRENCY_WRITTEN})\\s*)?`,
    `(?<amount>${NUMBER_WRITTEN})`,
    `(?:\\s*(?<after>${CURRENCY_WRITTEN})(?![\\p{L}\\p{N}]))?`,
  ].join(''),
  'giu',
);

/** An amount of some currency, whatever is said of it. */
const AMOUNT = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])(?:',
    `(?<before>${CURRENCY_WRITTEN})\\s*(?<behind>${NUMBER_WRITTEN})`,
    `|(?<ahead>${NUMBER_WRITTEN})\\s*(?<after>${CURRENCY_WRITTEN})(?![\\p{L}\\p{N}]))`,
  ].join(''),
  'giu',
);

/** What bounds the amount that comes next, from above or below. */
const BOUNDED = new RegExp(
  `(?:${BOUND}|>=?|\\b(?:at least|(?:no|not) less than|min(?:imum)?(?: of)?)\\b)\\s*$`,
  'iu',
);

/** Words that go on after an amount: any other is what there are so many of, as in “50 php tutorials”. */
const GOES_ON =
  'an?|and|apiece|are|as|at|avoid|because|but|by|costs?|cpms?|each|except|exclude|for|from|gross|if|in|is|it|max|' +
  'maximum|must|net|never|no|not|on|only|or|per|please|prefer|prices?|reject|skip|than|that|the|to|unless|when|' +
  'where|which|while|with|without';
const COUNTED = new RegExp(`^[\\s-]+(?!(?:${GOES_ON})\\b)\\p{L}`, 'iu');

/** The least of the ceilings in a sentence, and what it says beside them. */
export function pricesIn(sentence: string, currency: string): Prices {
  const isOfPrices = PRICE_WORDS.test(sentence);
  const ceilings = [...sentence.matchAll(PRICE)]
    .map((found) => priceIn(found, currency))
    .filter((one) => (isOfPrices || isPriceAlone(one, currency)) && isCeiling(one.bound, sentence));
  const left = ceilings.reduce((text, { written, beside }) => text.replace(written, ` ${beside} `), sentence);
  const amounts = amountsOfOthers(left, { currency, isOfPrices, isBounded: ceilings.length > 0 });
  if (ceilings.length === 0 && amounts.length === 0) return { rest: sentence };
  const codes = [...ceilings, ...amounts].flatMap((one) => one.codes);
  const others = codes.filter((code) => code !== currency);
  const limits = ceilings.filter((one) => one.codes.every((code) => code === currency));
  const rest = amounts.reduce((text, { written }) => text.replace(written, ' '), left);
  return {
    ...(limits.length === 0 ? {} : { limit: Math.min(...limits.map(({ amount }) => amount)) }),
    ...(others[0] === undefined ? {} : { pricedIn: others[0] }),
    rest: rest.replaceAll(new RegExp(PRICE_WORDS, 'gi'), ' '),
  };
}

/** Whether what is bounded is a price, in a sentence that does not speak of prices otherwise. */
function isPriceAlone({ codes, named, isYear, behind }: Price, currency: string): boolean {
  if (codes.length === 0 || (isYear && isPlainWord(named))) return false;
  return isSign(named) || codes.includes(currency) || !COUNTED.test(behind);
}

interface Around {
  readonly currency: string;
  readonly isOfPrices: boolean;
  /** Whether a ceiling stands beside it. */
  readonly isBounded: boolean;
}

/** Amounts in other currencies that are no ceilings: of these nothing is taken either. */
function amountsOfOthers(text: string, around: Around): Pick<Price, 'written' | 'codes'>[] {
  return [...text.matchAll(AMOUNT)].flatMap((found) => {
    const { before, after = '' } = found.groups ?? {};
    const code = currencyNamed(before ?? after, around.currency);
    const isOther = code !== undefined && code !== around.currency;
    return isOther && isAmount(found, around) ? [{ written: found[0], codes: [code] }] : [];
  });
}

/** Whether that is an amount of money, and not a word beside a number: signs alone always say so. */
function isAmount(found: RegExpExecArray, { isOfPrices, isBounded }: Omit<Around, 'currency'>): boolean {
  const { before, after = '', behind, ahead = behind ?? '' } = found.groups ?? {};
  const named = before ?? after;
  if (isSign(named)) return true;
  const isPlain = isPlainWord(named);
  if (isPlain && YEAR.test(ahead)) return false;
  if (isOfPrices && !isPlain) return true;
  const speaksOfPrices = isOfPrices || isBounded || BOUNDED.test(found.input.slice(0, found.index));
  return speaksOfPrices && !COUNTED.test(found.input.slice(found.index + found[0].length));
}

interface Price {
  readonly written: string;
  readonly bound: string;
  readonly amount: number;
  readonly codes: readonly string[];
  /** How its currency is written. */
  readonly named: string;
  /** Whether that stands before what may be a year, as in “Euro 2028”. */
  readonly isYear: boolean;
  /** The words around it that are no currency. */
  readonly beside: string;
  /** The text behind it. */
  readonly behind: string;
}

function priceIn(found: RegExpExecArray, currency: string): Price {
  const [written, bound = '', before = '', amount = '', after = ''] = found;
  const [first, last] = [before, after].map((word) => currencyNamed(word, currency));
  return {
    written,
    bound,
    amount: numberRead(amount),
    codes: [first, last].flatMap((code) => code ?? []),
    named: first === undefined ? after : before,
    isYear: first !== undefined && YEAR.test(amount),
    beside: [first === undefined ? before : '', last === undefined ? after : ''].join(' ').trim(),
    behind: found.input.slice(found.index + written.length),
  };
}

/** “Over 10” is a ceiling where it is turned down. */
function isCeiling(bound: string, sentence: string): boolean {
  return (
    !/^(?:over|above|more than)$/i.test(bound) || /\b(?:no|not|never|avoid|exclude|reject)\b/i.test(sentence)
  );
}
