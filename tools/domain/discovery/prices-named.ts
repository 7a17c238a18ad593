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
  /** An amount is named that is no ceiling, or is not certainly one: nothing of the sentence is certain then. */
  readonly isDoubtful: boolean;
}

const PRICE_WORDS = /\b(?:cpms?|prices?|priced|costs?)\b/i;

const YEAR = /^(?:19|20)\d\d$/;

const BOUND =
  '\\b(?:under|below|at most|up to|no more than|not more than|less than|(?:no|not) (?:higher|greater) than' +
  '|(?:not|never) (?:to )?exceed(?:ing)?|max(?:imum)?(?: of)?|not over|not above|cheaper than' +
  '|over|above|more than|more expensive than)\\b|\\bmax\\.|<=?|≤';

const OR_BELOW = '(?:or|and)\\s+(?:less|lower|under|below|cheaper)\\b';

const PRICE = new RegExp(
  [
    '(?:\\b(?:cpm|price|cost)s?\\b\\s*(?:of|is|are|at|to be|be)?\\s*)?',
    `(?<bound>${BOUND})\\s*(?:an?\\s+)?`,
    '(?:(?:cpm|price|cost)s?\\b\\s*)?(?:(?:of|is|at)\\b\\s*|[:=]\\s*)?',
    `(?:(?<before>${CURRENCY_WRITTEN})\\s*)?`,
    `(?<amount>${NUMBER_WRITTEN})`,
    `(?:\\s*(?<after>${CURRENCY_WRITTEN})(?![\\p{L}\\p{N}]))?`,
    `(?:\\s+${OR_BELOW})?`,
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
  `(?:${BOUND}|>=?|\\b(?:at least|(?:no|not) less than|min(?:imum)?(?: of)?)\\b|\\bmin\\.)\\s*$`,
  'iu',
);

/** Words that go on after an amount: any other is what there are so many of, as in “50 php tutorials”. */
const GOES_ON =
  'an?|and|apiece|are|as|at|avoid|because|but|by|costs?|cpms?|each|except|exclude|for|from|gross|if|in|is|it|max|' +
  'maximum|must|net|never|no|not|on|only|or|per|please|prefer|prices?|reject|skip|than|that|the|to|unless|when|' +
  'where|which|while|with|without';
const COUNTED = new RegExp(`^[\\s-]+(?!(?:${GOES_ON})\\b)\\p{L}`, 'iu');

/** An amount that is a ceiling by what stands behind it: written as one that stands before it. */
const OR_LESS = new RegExp(
  [
    `(?<![\\p{L}\\p{N}.,])(?<!(?:${BOUND})\\s*(?:an?\\s+)?)(?<written>(?:(?:${CURRENCY_WRITTEN})\\s*)?(?:${NUMBER_WRITTEN})`,
    `(?:\\s*(?:${CURRENCY_WRITTEN})(?![\\p{L}\\p{N}]))?)\\s+${OR_BELOW}`,
  ].join(''),
  'giu',
);

/** The least of the ceilings in a sentence, and what it says beside them. */
export function pricesIn(given: string, currency: string): Prices {
  const sentence = given.replaceAll(OR_LESS, 'at most $<written>');
  const isOfPrices = PRICE_WORDS.test(sentence.replaceAll(FIXED, ' '));
  const ceilings = [...sentence.matchAll(PRICE)]
    .map((found) => priceIn(found, currency))
    .filter((one) => isPrice(one, { currency, isOfPrices }) && isCeiling(one));
  const left = ceilings.reduce((text, { written, beside }) => text.replace(written, ` ${beside} `), sentence);
  const around = { currency, isOfPrices, isBounded: ceilings.length > 0 };
  const amounts = amountsOfOthers(left, around);
  const isDoubtful = leavesPrice(left, around);
  if (ceilings.length === 0 && amounts.length === 0) return { rest: sentence, isDoubtful };
  const codes = [...ceilings, ...amounts].flatMap((one) => one.codes);
  const others = codes.filter((code) => code !== currency);
  const limits = ceilings.filter((one) => one.codes.every((code) => code === currency));
  const rest = amounts.reduce((text, { written }) => text.replace(written, ' '), left);
  return {
    ...(limits.length === 0 ? {} : { limit: Math.min(...limits.map(({ amount }) => amount)) }),
    ...(others[0] === undefined ? {} : { pricedIn: others[0] }),
    rest: rest.replaceAll(new RegExp(PRICE_WORDS, 'gi'), ' '),
    isDoubtful,
  };
}

/** A fact of a product, and no price. */
const FIXED = /\bfixed[-_ ]pric\w*/gi;

/** A number by itself, that is no size, no year and no count of something. */
const NUMBER = new RegExp(`(?<![\\p{L}\\p{N}.,])(?:${NUMBER_WRITTEN})(?![\\p{L}\\p{N}]|\\s*%)`, 'giu');

/**
 * Whether a price is spoken of that came to no ceiling: a least price, one that is neither, or two. Words of it are
 * no rule of words, which every product would break.
 */
function leavesPrice(left: string, around: Around): boolean {
  const own = [...left.matchAll(AMOUNT)].some((found) => {
    const { before, after = '' } = found.groups ?? {};
    return currencyNamed(before ?? after, around.currency) === around.currency && isAmount(found, around);
  });
  if (own) return true;
  const isNamed = PRICE_WORDS.test(left.replaceAll(FIXED, ' '));
  return [...left.matchAll(NUMBER)].some((found) => {
    const [before, behind] = [left.slice(0, found.index), left.slice(found.index + found[0].length)];
    const isOne = isNamed || (around.isOfPrices && BOUNDED.test(before));
    return isOne && !YEAR.test(found[0]) && !COUNTED.test(behind);
  });
}

/** Whether it is of a price: by a word for that beside it, or by its currency, or in a sentence about prices. */
function isPrice(one: Price, { currency, isOfPrices }: Pick<Around, 'currency' | 'isOfPrices'>): boolean {
  if (!isOfPrices) return isPriceAlone(one, currency);
  return one.codes.length > 0 || PRICE_WORDS.test(one.written) || !COUNTED.test(one.behind);
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
  /** What is said of it in its own part of the sentence, its bound left out. */
  readonly clause: string;
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
    clause: clauseOf(found),
  };
}

function clauseOf({ input, index, 0: written }: RegExpExecArray): string {
  const before = input.slice(0, index).split(CLAUSE).at(-1) ?? '';
  const [after = ''] = input.slice(index + written.length).split(CLAUSE);
  return `${before} ${after}`;
}

/** “Over 10” is a ceiling where it is turned down, “under 10” where it is not. */
function isCeiling({ bound, clause }: Price): boolean {
  const isTurnedDown = TURNED_DOWN.test(clause);
  return /^(?:over|above|more than|more expensive than)$/i.test(bound)
    ? isTurnedDown
    : !isTurnedDown || /^(?:no|not|never)\b/i.test(bound);
}

const TURNED_DOWN =
  /\b(?:no|not|never|nothing|none|nobody|avoid\w*|exclud\w+|reject\w*|skip|block|drop|omit|refuse|without)\b/i;

/** What ends a part of a sentence. */
const CLAUSE = /[,;:()]|\b(?:and|but)\b/iu;
