import { isCurrency } from '../money.ts';

/**
 * How currencies are written in plain words: by codes, signs and names. A sign or a name that several share is the
 * session's own where that is one of them, and the first otherwise. Pure.
 */

/** Each with what it may stand for, the usual one first; what begins like another and is longer comes before it. */
const WRITTEN: readonly (readonly [string, string])[] = [
  ['US ?\\$|US[- ]dollars?|American dollars?|bucks?', 'USD'],
  ['CA?\\$|Canadian dollars?', 'CAD'],
  ['AU?\\$|Australian dollars?', 'AUD'],
  ['NZ\\$|New Zealand dollars?', 'NZD'],
  ['S\\$|Singapore dollars?', 'SGD'],
  ['HK\\$|Hong Kong dollars?', 'HKD'],
  ['MX\\$|Mexican pesos?', 'MXN'],
  ['R\\$|reais', 'BRL'],
  [
    '\\$|dollars?',
    'USD CAD AUD NZD SGD HKD TWD BSD BBD BZD BMD KYD FJD GYD JMD LRD NAD TTD XCD MXN ARS CLP COP',
  ],
  ['€|euros?', 'EUR'],
  ['pounds? sterling|sterling|British pounds?|quid', 'GBP'],
  ['Egyptian pounds?', 'EGP'],
  ['£|pounds?', 'GBP EGP LBP SYP SDG SSP FKP GIP SHP'],
  ['Japanese yen|yen', 'JPY'],
  ['Chinese yuan|yuan|renminbi|RMB', 'CNY'],
  ['¥', 'JPY CNY'],
  ['Swedish (?:kronor|krona|krone)', 'SEK'],
  ['Norwegian (?:kroner|krone)', 'NOK'],
  ['Danish (?:kroner|krone)', 'DKK'],
  ['Icelandic (?:kronur|krona)', 'ISK'],
  ['kroner|krone', 'NOK DKK'],
  ['kronor|krona', 'SEK ISK'],
  ['kr', 'SEK NOK DKK ISK'],
  ['Swiss francs?|SFr', 'CHF'],
  ['francs?', 'CHF XOF XAF XPF CDF RWF BIF DJF GNF KMF'],
  ['zł|złoty|złotych|zlotys?|zlotych', 'PLN'],
  ['Kč|korunas?|koruny', 'CZK'],
  ['forints?', 'HUF'],
  ['Pakistani rupees?', 'PKR'],
  ['Indian rupees?', 'INR'],
  ['₹|Rs|rupees?', 'INR PKR LKR NPR MUR SCR'],
  ['Rp|rupiahs?', 'IDR'],
  ['₩|Korean won|won', 'KRW'],
  ['₺|Turkish liras?|liras?', 'TRY'],
  ['₽|Russian rou?bles?|rou?bles?', 'RUB BYN'],
  ['₴|hryvnias?', 'UAH'],
  ['₪|shekels?', 'ILS'],
  ['฿|baht', 'THB'],
  ['₫|dong', 'VND'],
  ['₦|nairas?', 'NGN'],
  ['₱|Philippine pesos?', 'PHP'],
  ['pesos?', 'MXN ARS CLP COP PHP UYU DOP'],
  ['South African rands?|rands?', 'ZAR'],
  ['dirhams?', 'AED MAD'],
  ['Saudi riyals?|riyals?', 'SAR QAR YER'],
  ['lei|leu', 'RON MDL'],
  ['leva|lev', 'BGN'],
  ['ringgits?', 'MYR'],
];

const known = WRITTEN.map(([written, codes]) => ({
  form: new RegExp(`^(?:${written})$`, 'iu'),
  codes: codes.split(' '),
}));

/** Those of which a code in small letters is one, unless it is a word. */
const USUAL = new Set(known.flatMap(({ codes }) => codes));
const WORDS = new Set(['mad', 'try']);

/** What may be a currency, to be put into an expression: any three letters may. */
export const CURRENCY_WRITTEN = `${WRITTEN.map(([written]) => written).join('|')}|[A-Z]{3}`;

/** The currency that is written so, in a session that pays in its `own`; undefined where none is. */
export function currencyNamed(written: string, own: string): string | undefined {
  const codes = known.find(({ form }) => form.test(written))?.codes;
  if (codes !== undefined) return codes.includes(own) ? own : codes[0];
  const code = written.toUpperCase();
  if (code === own || (code === written && isCurrency(code))) return code;
  return USUAL.has(code) && !WORDS.has(written) ? code : undefined;
}

/** Whether it can be nothing else than a currency. */
export function isSign(written: string): boolean {
  return /\p{Sc}/u.test(written);
}

/** Whether it may be another word, such as “won”, “Euro” or “php”: neither a sign nor a code in capitals. */
export function isPlainWord(written: string): boolean {
  return !isSign(written) && !(/^[A-Z]{3}$/.test(written) && isCurrency(written));
}
