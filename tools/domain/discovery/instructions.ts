import { stemmedWordsOf } from '../sellers/embedded/words.ts';
import { boundedText } from '../text.ts';
import { pricesIn } from './prices-named.ts';

/**
 * Instructions in plain words, read as rules: what a product must hold, must not hold and had better hold, and what
 * it may cost. No language model reads them, so that the same words always come to the same rules, and what could
 * not be read is said. Pure.
 */

export type RuleKind = 'exclude' | 'require' | 'prefer';

/** A word or several that belong together: a product has it when it has all of them. Stems, each with its word. */
export type Term = ReadonlyMap<string, string>;

export type Rule =
  | { readonly kind: RuleKind; readonly terms: readonly Term[] }
  /** In units of the session's currency for a thousand impressions. */
  | { readonly kind: 'max_price'; readonly amount: number };

/** A sentence of the instructions; without rules where it could not be read. */
export interface Sentence {
  readonly text: string;
  readonly rules: readonly Rule[];
  /** The currency of a price in it that is not in that of the session, and is no rule. */
  readonly pricedIn?: string;
}

/** Whether a part of a sentence, or all of it, came to no rule. */
export function isUnread({ rules, pricedIn }: Sentence): boolean {
  return rules.length === 0 || pricedIn !== undefined;
}

const SENTENCES_MAX = 100;
const SENTENCE_SHOWN = 300;
const TERMS_MAX = 50;

/** Words of those who instruct that say nothing of a product. */
const FILLERS = new Set(
  (
    'accept anything appropriate be better cheap choose consider else everything fit fits good high include kind low ' +
    'must nothing offer offers only other page pages pick please prefer products quality rank relevant score seller ' +
    'sellers should site sites something suitable thing things type whatever which very too also'
  ).split(' '),
);

type Marker = 'not' | 'reject' | 'require' | 'prefer';

/** What turns the words behind it into a rule. The longest comes first where two begin alike. */
const MARKERS: readonly (readonly [Marker, string])[] = [
  ['not', 'anything but|everything but|all but|anything except|everything except|other than|outside of'],
  ['not', "do not|does not|don[’']t|must not|should not|is not|are not|not|no|never|without|except|nothing"],
  ['reject', 'avoid(?:ing)?|exclud(?:e|es|ing)|reject(?:s|ing)?|skip|block|omit|ban|drop|refuse|leave out'],
  ['require', 'must|only|requir(?:e|es|ed|ing)|needs? to|has to|have to|mandatory|insist on'],
  ['prefer', 'prefer(?:s|red|ably|ring)?|favou?r|ideally|should|accept|include|boost|rank'],
];

const MARKER = new RegExp(
  MARKERS.map(([, words], place) => `(?<m${place}>\\b(?:${words})(?![\\p{L}\\p{N}]))`).join('|'),
  'giu',
);

/** Facts of a product that texts write in several ways, each under one word. */
const FACTS: readonly (readonly [RegExp, string])[] = [
  [/\bnon[-_ ]?guaranteed\b/gi, ' nonguaranteed '],
  [/\bfixed[-_ ]pric\w*/gi, ' fixedprice '],
  [/\b(?:auctions?|biddable|bidding)\b/gi, ' auction '],
];

/** The words that stand for facts: texts of sellers cannot say them. */
export const FACT_WORDS: ReadonlySet<string> = new Set([
  'guaranteed',
  'nonguaranteed',
  'fixedprice',
  'auction',
]);

/** Reads instructions for a session that pays in this currency (ISO 4217). */
export function readInstructions(text: string, currency: string): Sentence[] {
  return text
    .split(/(?<=[.;!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[\s\-*•\d.)]+/, '').trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
    .slice(0, SENTENCES_MAX)
    .map((sentence) => ({
      text: boundedText(sentence, SENTENCE_SHOWN),
      ...readSentence(sentence, currency),
    }));
}

function readSentence(sentence: string, currency: string): Omit<Sentence, 'text'> {
  const { limit, pricedIn, rest } = pricesIn(sentence, currency);
  const named = FACTS.reduce((text, [written, word]) => text.replace(written, word), rest);
  const rules = segmentsOf(named).flatMap(({ kind, text }): Rule[] => {
    const terms = termsIn(text);
    return terms.length === 0 ? [] : [{ kind, terms }];
  });
  return {
    rules: limit === undefined ? rules : [{ kind: 'max_price', amount: limit }, ...rules],
    ...(pricedIn === undefined ? {} : { pricedIn }),
  };
}

interface Segment {
  readonly kind: RuleKind;
  readonly text: string;
}

/** A sentence cut where another rule begins. */
function segmentsOf(sentence: string): Segment[] {
  const segments: Segment[] = [];
  let marker: Marker | undefined;
  let kind: RuleKind = 'prefer';
  let start = 0;
  const close = (end: number) => segments.push({ kind, text: sentence.slice(start, end) });
  for (const found of sentence.matchAll(MARKER)) {
    const next = markerOf(found.groups);
    const between = sentence.slice(start, found.index);
    if (marker !== undefined && termsIn(between).length === 0) {
      kind = joined(kind, { marker, next, hasWords: /\p{L}/u.test(between) });
    } else {
      close(found.index);
      kind = kindOf(next);
    }
    marker = next;
    start = found.index + found[0].length;
  }
  close(sentence.length);
  return segments;
}

function markerOf(groups: Readonly<Record<string, string | undefined>> = {}): Marker {
  const place = MARKERS.findIndex((_, index) => groups[`m${index}`] !== undefined);
  return MARKERS[place]?.[0] ?? 'prefer';
}

function kindOf(marker: Marker): RuleKind {
  return marker === 'not' || marker === 'reject' ? 'exclude' : marker;
}

interface Neighbours {
  readonly marker: Marker;
  readonly next: Marker;
  /** Whether a word stands between them, be it one that says nothing. */
  readonly hasWords: boolean;
}

/** What two markers come to that stand beside each other: “only accept”, “must not”, “reject anything without”. */
function joined(before: RuleKind, { marker, next, hasWords }: Neighbours): RuleKind {
  if (marker === 'not' && (next === 'reject' || next === 'require')) return 'prefer';
  if (marker === 'reject' && next === 'not' && hasWords) return 'require';
  return next === 'prefer' ? before : kindOf(next);
}

function termsIn(text: string): Term[] {
  return text
    .split(/[,/:()]|\b(?:and|or|nor|but)\b/i)
    .map((part) => new Map([...stemmedWordsOf(part)].filter(([, word]) => !FILLERS.has(word))))
    .filter(({ size }) => size > 0)
    .slice(0, TERMS_MAX);
}
