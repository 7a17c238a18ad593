import { wordsForChannels } from '../../channels.ts';
import { stemmedWordsOf, withoutDenied, withoutRules } from '../../sellers/embedded/words.ts';
import { boundedText } from '../../text.ts';
import { FACT_WORDS, isUnread, type Rule, type Sentence, type Term } from '../instructions.ts';
import type { Product } from '../schema.ts';

/** Products held against instructions. Pure: the same sentences and products come to the same verdicts. */

const REASONS_MAX = 20;
const REASON_MAX = 200;

/** What became of one rule for one product; `open` where the product does not say enough to tell. */
interface Finding {
  readonly sentence: Sentence;
  readonly rule: Rule;
  readonly outcome: 'kept' | 'missed' | 'open';
  /** The words of the instructions that the product has. */
  readonly shared: readonly string[];
}

export interface Verdict {
  /** `refine` where its seller might still change what it misses. */
  readonly decision: 'accept' | 'reject' | 'refine';
  readonly findings: readonly Finding[];
  /** 0 to 1: the part of what is wished and required that it has; undefined where nothing is. */
  readonly quality: number | undefined;
  /** 0 to 1: the part of the instructions that could be decided for it. */
  readonly confidence: number;
  readonly reasons: readonly string[];
  /** The sentences that it misses, as they were written. */
  readonly missed: readonly string[];
}

/** What a product comes to under instructions, in a session that pays in this currency. */
export function verdictOn(product: Product, sentences: readonly Sentence[], currency: string): Verdict {
  const words = wordsIn(product);
  const findings = sentences.flatMap((sentence) =>
    sentence.rules.map((rule): Finding => ({ sentence, rule, ...held(rule, { words, product, currency }) })),
  );
  const missed = findings.filter(({ outcome, rule }) => outcome === 'missed' && rule.kind !== 'prefer');
  const isOut = missed.some(({ rule }) => rule.kind === 'exclude');
  const unread = sentences.filter(isUnread).length;
  const decided = findings.filter(({ outcome }) => outcome !== 'open').length;
  return {
    decision: isOut ? 'reject' : missed.length > 0 ? 'refine' : 'accept',
    findings,
    quality: qualityOf(findings),
    confidence: portion(decided, findings.length + unread),
    reasons: findings.flatMap(reasonFor).slice(0, REASONS_MAX),
    missed: [...new Set(missed.map(({ sentence }) => sentence.text))],
  };
}

/** What keeps a product from being taken as it is, in words. */
export function missesOf({ findings }: Verdict): string[] {
  return findings.filter(({ outcome }) => outcome === 'missed').flatMap(reasonFor);
}

interface Facts {
  readonly words: ReadonlySet<string>;
  readonly product: Product;
  readonly currency: string;
}

function held(rule: Rule, { words, product, currency }: Facts): Pick<Finding, 'outcome' | 'shared'> {
  if (rule.kind === 'max_price') {
    const { cpm, currency: soldIn } = product;
    if (cpm === undefined || soldIn !== currency) return { outcome: 'open', shared: [] };
    return { outcome: cpm <= rule.amount ? 'kept' : 'missed', shared: [] };
  }
  if (rule.kind === 'exclude') {
    const shared = rule.terms.filter((term) => [...term.keys()].every((stem) => words.has(stem)));
    return { outcome: shared.length === 0 ? 'kept' : 'missed', shared: shared.map(asWords) };
  }
  const shared = rule.terms.flatMap((term) => [...term].filter(([stem]) => words.has(stem)));
  return { outcome: shared.length > 0 ? 'kept' : 'missed', shared: shared.map(([, word]) => word) };
}

/** What a product says of itself; facts come from its fields alone. */
function wordsIn(product: Product): ReadonlySet<string> {
  const { name, description = '', channels, formatIds, briefRelevance = '', publisherProperties } = product;
  const formats = formatIds.map(({ id }) => id);
  const domains = publisherProperties.map(({ publisherDomain = '' }) => publisherDomain);
  const told = `${name} ${withoutDenied(withoutRules(description))} ${wordsForChannels({ channels, formats })} ${briefRelevance} ${domains.join(' ')}`;
  const said = [...stemmedWordsOf(told).keys()].filter((word) => !FACT_WORDS.has(word));
  return new Set([...said, ...factsOf(product)]);
}

function factsOf({ deliveryType, pricingOptions }: Product): string[] {
  const isFixed = pricingOptions.some((option) => option.isFixed);
  const delivery =
    { guaranteed: ['guaranteed'], non_guaranteed: ['nonguaranteed'] }[deliveryType ?? ''] ?? [];
  return [...delivery, isFixed ? 'fixedprice' : 'auction'];
}

function qualityOf(findings: readonly Finding[]): number | undefined {
  const wished = findings.filter(({ rule }) => rule.kind === 'prefer' || rule.kind === 'require');
  if (wished.length === 0) return undefined;
  return portion(
    wished.reduce((sum, finding) => sum + gradeOf(finding), 0),
    wished.length,
  );
}

/** How much of a wish a product has: one term of it is half of the way. */
function gradeOf({ rule, shared }: Finding): number {
  if (rule.kind === 'max_price' || shared.length === 0) return 0;
  const all = rule.terms.reduce((sum, { size }) => sum + size, 0);
  return 0.5 + (0.5 * Math.min(shared.length, all)) / all;
}

/** A part of a whole from 0 to 1, with three decimals; 0 of nothing. */
function portion(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000;
}

function reasonFor({ sentence, rule, outcome, shared }: Finding): string[] {
  const words = shared.join(', ');
  const told = {
    exclude: { missed: `Holds what is excluded: ${words}.`, kept: '' },
    require: { kept: `Holds what is required: ${words}.`, missed: `Misses: ${sentence.text}` },
    prefer: { kept: `Holds what is preferred: ${words}.`, missed: '' },
    max_price: { kept: 'Costs no more than allowed.', missed: `Misses: ${sentence.text}` },
  }[rule.kind];
  const reason =
    outcome === 'open' ? 'Its price in the currency of the session is not known.' : told[outcome];
  return reason === '' ? [] : [boundedText(reason, REASON_MAX)];
}

function asWords(term: Term): string {
  return [...term.values()].join(' ');
}
