import { z } from 'zod';

/**
 * Money: integer minor units inside, decimal numbers of major units on the wire. This module converts, and
 * no other does; sums are made of minor units only.
 */

const currencies = new Set(Intl.supportedValuesOf('currency'));

/**
 * Currencies without two decimals, by ISO 4217. Written down, because stored amounts rest on it and what
 * Intl knows changes from one release of Node to the next.
 */
const decimals = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ['CLF', 4],
  ['UYW', 4],
]);

/** Whether it is an ISO 4217 code, in capitals. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** An ISO 4217 code, in capitals whatever the case it came in. */
export const currencyCode = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCurrency, 'Give an ISO 4217 currency code, such as USD.');

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  return decimals.get(currency) ?? 2;
}

/** What is said of an amount that the currency does not have. */
export function noSuchAmount(currency: string): string {
  return `${currency} has ${decimalsOf(currency)} decimals at the most.`;
}

/** Major units as minor units, exactly; undefined when the currency has no such amount. */
export function toMinor(amount: number, currency: string): number | undefined {
  const places = decimalsOf(currency);
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plainDecimal(amount));
  if (match === null) return undefined;
  const [, sign = '', whole = '0', fraction = ''] = match;
  if (fraction.length > places) return undefined;
  const minor = Number(`${sign}${whole}${fraction.padEnd(places, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/** The shortest decimal that reads back as the number, without an exponent. */
function plainDecimal(amount: number): string {
  const text = String(amount);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}

/** An amount from outside as minor units, rounded to what the currency has; undefined beyond all bounds. */
export function roundToMinor(amount: number, currency: string): number | undefined {
  return toMinor(Number(amount.toFixed(decimalsOf(currency))), currency);
}

/** The least amount of a currency that is no less than one from outside: what has more decimals is rounded up. */
export function leastMinorOf(amount: number, currency: string): number | undefined {
  const rounded = roundToMinor(amount, currency);
  return rounded === undefined || toMajor(rounded, currency) >= amount ? rounded : rounded + 1;
}

/** Whether a seller that shows one budget may mean the other: sellers round, and a minor unit is not spoken of. */
export function isSameBudget(shownMinor: number, meantMinor: number): boolean {
  return Math.abs(shownMinor - meantMinor) <= 1;
}

/** Minor units as major units, for the wire. */
export function toMajor(minor: number, currency: string): number {
  // Exact: a division of two whole numbers that a double holds rounds to the double nearest to the decimal.
  return minor / 10 ** decimalsOf(currency);
}

/** An amount with its currency, for a reader: `1234.50 USD`. */
export function readMoney(minor: number, currency: string): string {
  return `${toMajor(minor, currency).toFixed(decimalsOf(currency))} ${currency}`;
}

/** Parts of a sum that are equal but for one minor unit, and add up to it exactly; larger parts first. */
export function shareEqually(minor: number, parts: number): number[] {
  const base = Math.floor(minor / parts);
  const larger = minor - base * parts;
  return Array.from({ length: parts }, (_, index) => base + (index < larger ? 1 : 0));
}

/** Weights are exact to this part of one. */
const WEIGHT_PARTS = 1_000_000;

function asParts(weight: number): bigint {
  return BigInt(Math.round(weight * WEIGHT_PARTS));
}

/** What falls to a weight for so much that fell to another, rounded down. */
export function inProportion(minor: number, { weight, of }: { weight: number; of: number }): number {
  const whole = asParts(of);
  return whole === 0n ? 0 : Number((BigInt(minor) * asParts(weight)) / whole);
}

/** Parts of a sum in the proportion of their weights, that add up to it exactly. */
export function shareByWeight(minor: number, weights: readonly number[]): number[] {
  const parts = weights.map(asParts);
  const total = parts.reduce((sum, part) => sum + part, 0n);
  if (total === 0n) return weights.map(() => 0);
  let upTo = 0n;
  let given = 0;
  return parts.map((part) => {
    upTo += part;
    const share = Number((BigInt(minor) * upTo) / total) - given;
    given += share;
    return share;
  });
}
