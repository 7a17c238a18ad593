import { CURRENCY_WRITTEN, currencyNamed } from './currencies-named.ts';

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

const PRICE = new RegExp(
  [
    '(?:\\b(?:cpm|price|cost)s?\\b\\s*(?:of|is|are|at|to be|be)?\\s*)?',
    '(?<bound>\\b(?:under|below|at most|up to|no more than|not more than|less than|no higher than',
    '|max(?:imum)?(?: of)?|not over|not above|over|above|more than)\\b|<=?)\\s*',
    '(?:(?:cpm|price|cost)s?\\b\\s*)?(?:(?:of|is|at)\\b\\s*|[:=]\\s*)?',
    `(?:(?<before>${CURRENCY_WRITTEN})\\s*)?`,
    '(?<amount>\\d+(?:[.,]\\d+)?)',
    `(?:\\s*(?<after>${CURRENCY_WRITTEN})(?![\\p{L}\\p{N}]))?`,
  ].join(''),
  'giu',
);

/** An amount of some currency, whatever is said of it. */
const AMOUNT = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(${CURRENCY_WRITTEN})\\s*\\d+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?\\s*(${CURRENCY_WRITTEN})(?![\\p{L}\\p{N}]))`,
  'giu',
);

/** The least of the ceilings in a sentence, and what it says beside them. */
export function pricesIn(sentence: string, currency: string): Prices {
  const isOfPrices = PRICE_WORDS.test(sentence);
  const ceilings = [...sentence.matchAll(PRICE)]
    .map((found) => priceIn(found, currency))
    .filter(({ bound, codes }) => (isOfPrices || codes.length > 0) && isCeiling(bound, sentence));
  const left = ceilings.reduce((text, { written, beside }) => text.replace(written, ` ${beside} `), sentence);
  const amounts = amountsOfOthers(left, currency);
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

/** Amounts in other currencies that are no ceilings: of these nothing is taken either. */
function amountsOfOthers(text: string, currency: string): Pick<Price, 'written' | 'codes'>[] {
  return [...text.matchAll(AMOUNT)].flatMap(([written, before, after]) => {
    const code = currencyNamed(before ?? after ?? '', currency);
    return code === undefined || code === currency ? [] : [{ written, codes: [code] }];
  });
}

interface Price {
  readonly written: string;
  readonly bound: string;
  readonly amount: number;
  readonly codes: readonly string[];
  /** The word behind it that is no currency. */
  readonly beside: string;
}

function priceIn([written, ...groups]: RegExpExecArray, currency: string): Price {
  const [bound = '', before, amount = '', after] = groups;
  const [first, last] = [before, after].map((word) => word && currencyNamed(word, currency));
  return {
    written,
    bound,
    amount: Number(amount.replace(',', '.')),
    codes: [first, last].flatMap((code) => code || []),
    beside: last ? '' : (after ?? ''),
  };
}

/** “Over 10” is a ceiling where it is turned down. */
function isCeiling(bound: string, sentence: string): boolean {
  return (
    !/^(?:over|above|more than)$/i.test(bound) || /\b(?:no|not|never|avoid|exclude|reject)\b/i.test(sentence)
  );
}
