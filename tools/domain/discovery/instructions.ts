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
  /** Why none of it is held against anything, though it says something of products. */
  readonly doubt?: 'price' | 'meaning';
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

type Marker = 'not' | 'without' | 'save' | 'solely' | 'reject' | 'require' | 'prefer' | 'unsure';

/** What leaves something out of all. */
const SAVE = '(?:but|except(?: for)?|other than|else than|apart from|besides|outside of|save)';

/** What all that is for sale is called: “no channels other than CTV” is about CTV alone. */
const OF_ALL = '(?:channels?|formats?|inventory|publishers?|media|ads?)';

/** What turns the words behind it into a rule. The longest comes first where two begin alike. */
const MARKERS: readonly (readonly [Marker, string])[] = [
  [
    'unsure',
    'no (?:needs?|problems?|objections?|preferences?|restrictions?|limits?)(?![\\p{L}\\p{N}])' +
      "|(?:don[’']t|do not|does not) (?:need(?! to\\b)|mind|care|forget|miss|overlook)|need not|needn[’']t|(?:(?:is|are) )?not (?:necessar(?:il)?y|just)|unless",
  ],
  ['solely', `(?:nothing|none|no one|nobody|no ${OF_ALL}) ${SAVE}`],
  [
    'save',
    `(?:(?:any|every)thing|all|(?:all|any|every) ${OF_ALL}) ${SAVE}|other than|apart from|besides|outside of|except(?:ing|ed)?(?: for)?`,
  ],
  ['without', 'without|lacking'],
  ['not', "do not|does not|don[’']t|must not|should not|is not|are not|not|no|never|nothing"],
  [
    'reject',
    'avoid(?:ing)?|excl(?:ud(?:e|es|ing))?|reject(?:s|ing)?|skip|block|omit|ban|drop|refuse|leave out',
  ],
  ['require', 'must|only|requir(?:e|es|ed|ing)|needs? to|has to|have to|mandatory|insist on'],
  ['prefer', 'prefer(?:s|red|ably|ring)?|favou?r|ideally|should|accept|incl(?:ude)?|boost|rank'],
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

/** A full stop behind a word that is cut short ends none: “max. 10 USD”, “excl. news”. */
const SENTENCE_END = /(?<=[.;!?])(?<!\b(?:max|min|approx|ca|excl|incl|e\.g|i\.e|vs)\.)\s+|\n+/i;

/** What stands before a line of a list. A number is one of a list by the mark behind it, and an amount without. */
const BULLET = /^(?:[\s\-*•.)]|\d+[.)](?=\s|\p{L}))+/u;

/** Reads instructions for a session that pays in this currency (ISO 4217). */
export function readInstructions(text: string, currency: string): Sentence[] {
  return text
    .split(SENTENCE_END)
    .map((sentence) => sentence.replace(BULLET, '').trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
    .slice(0, SENTENCES_MAX)
    .map((sentence) => ({
      text: boundedText(sentence, SENTENCE_SHOWN),
      ...readSentence(sentence, currency),
    }));
}

function readSentence(sentence: string, currency: string): Omit<Sentence, 'text'> {
  const { limit, pricedIn, rest, isDoubtful } = pricesIn(sentence, currency);
  const named = FACTS.reduce((text, [written, word]) => text.replace(written, word), rest);
  const segments = segmentsOf(named);
  const rules = segments.flatMap(({ kind, text }): Rule[] => {
    const terms = termsIn(text);
    return kind === undefined || terms.length === 0 ? [] : [{ kind, terms }];
  });
  const all = limit === undefined ? rules : [{ kind: 'max_price' as const, amount: limit }, ...rules];
  // What is not certain of a part is held of none: it might be the other way round.
  const isUnsure = segments.some(({ kind }) => kind === undefined);
  // A price in another currency is said to be one, whatever else it is.
  const doubt = isUnsure ? 'meaning' : isDoubtful && pricedIn === undefined ? 'price' : undefined;
  return {
    rules: isUnsure || isDoubtful ? [] : all,
    ...(pricedIn === undefined ? {} : { pricedIn }),
    ...(doubt === undefined ? {} : { doubt }),
  };
}

interface Segment {
  /** Undefined where nobody can tell what is meant. */
  readonly kind: RuleKind | undefined;
  readonly text: string;
}

/** A sentence cut where another rule begins. */
function segmentsOf(sentence: string): Segment[] {
  const segments: Segment[] = [];
  let marker: Marker | undefined;
  let kind: Segment['kind'] = 'prefer';
  let start = 0;
  const close = (end: number) => segments.push({ kind, text: sentence.slice(start, end) });
  for (const found of sentence.matchAll(MARKER)) {
    const next = markerOf(found.groups);
    const between = sentence.slice(start, found.index);
    const isJoined = marker !== undefined && !saysMore(between, { marker, next });
    if (isJoined) {
      kind = kind && joined(kind, { marker, next, between });
    } else {
      close(found.index);
      kind = follows(kind, { marker, next, between });
    }
    // “Do not accept anything but”: it is what stands before that decides. “Never reject anything but” says nothing.
    if (isJoined && marker === 'not' && next === 'reject') marker = 'unsure';
    else if (!isJoined || next !== 'prefer') marker = next;
    start = found.index + found[0].length;
  }
  close(sentence.length);
  return segments;
}

function markerOf(groups: Readonly<Record<string, string | undefined>> = {}): Marker {
  const place = MARKERS.findIndex((_, index) => groups[`m${index}`] !== undefined);
  return MARKERS[place]?.[0] ?? 'prefer';
}

const KINDS: Readonly<Record<Marker, Segment['kind']>> = {
  not: 'exclude',
  without: 'exclude',
  save: 'exclude',
  reject: 'exclude',
  solely: 'require',
  require: 'require',
  prefer: 'prefer',
  unsure: undefined,
};

interface Neighbours {
  readonly marker: Marker | undefined;
  readonly next: Marker;
  readonly between: string;
}

const EVERYTHING = new RegExp(`^\\s*${OF_ALL}\\s*$`, 'i');

/** Whether something is said between two markers, which is a rule of its own then. */
function saysMore(between: string, { marker, next }: Omit<Neighbours, 'between'>): boolean {
  const isOfAll = next === 'save' && (marker === 'not' || marker === 'reject') && EVERYTHING.test(between);
  return !isOfAll && termsIn(between).length > 0;
}

/** What two markers come to that stand beside each other; null where nobody can tell. */
const JOINED: ReadonlyMap<`${Marker} ${Marker}`, RuleKind | null> = new Map([
  ['not reject', 'prefer'],
  ['not require', 'prefer'],
  ['not save', 'require'],
  ['not without', 'require'],
  ['not solely', null],
  ['reject save', 'require'],
  ['reject without', 'require'],
  ['reject solely', 'exclude'],
]);

/** The same: “only accept”, “must not”, “reject anything without”. */
function joined(before: RuleKind, { marker, next, between }: Neighbours): Segment['kind'] {
  if (marker === 'unsure') return undefined;
  const both = marker && JOINED.get(`${marker} ${next}`);
  if (both !== undefined) return both ?? undefined;
  if (next === 'not' && (marker === 'not' || marker === 'reject')) return twice(marker, between);
  return next === 'prefer' ? before : KINDS[next];
}

/** What is turned down twice: “reject anything that is not”, or “no, never”. */
function twice(marker: 'not' | 'reject', between: string): Segment['kind'] {
  if (!/\p{L}/u.test(between)) return 'exclude';
  return marker === 'reject' || /\b(?:that|which|who|whose)\b/i.test(between) ? 'require' : undefined;
}

/** What ends a rule, so that the next one stands for itself. */
const ENDS = /(?:[,/:()]|\b(?:and|or|nor|but))\s*$/i;

/** Of a rule that another one follows: what is turned down save something else cannot be held as two. */
function follows(before: Segment['kind'], { marker, next, between }: Neighbours): Segment['kind'] {
  const isExcept = next === 'save' || next === 'without' || next === 'not';
  const isOne = marker !== undefined && before === 'exclude' && isExcept;
  // A comma parts no exception from what it is one of.
  const isParted = next !== 'save' && ENDS.test(between);
  return isOne && !isParted ? undefined : KINDS[next];
}

function termsIn(text: string): Term[] {
  return text
    .split(/[,/:()]|\b(?:and|or|nor|but)\b/i)
    .map((part) => new Map([...stemmedWordsOf(part)].filter(([, word]) => !FILLERS.has(word))))
    .filter(({ size }) => size > 0)
    .slice(0, TERMS_MAX);
}
