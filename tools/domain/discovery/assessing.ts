import type { AgentTold, AssessmentTally, RefinementItem } from '../../../store/discovery-sessions.ts';
import { turn } from '../../core/turn.ts';
import { toMajor } from '../money.ts';
import type { KeptOpening } from '../opening.ts';
import { boundedText } from '../text.ts';
import type { Outcome } from './collect.ts';
import { enrichmentOf } from './enrichment.ts';
import { readInstructions, type Sentence } from './instructions.ts';
import type { Proposal } from './proposals.ts';
import { ranked } from './ranking.ts';
import type { Product } from './schema.ts';
import type { Group } from './seller-products.ts';
import { type Verdict, verdictOn } from './verdicts.ts';

/** Answers of sellers held against the instructions of a session: what they reject is not shown. */

export type Stage = 'screening' | 'evaluation';

/** An answer in which products were found. */
export type Found = Extract<Outcome, { readonly read: unknown }>;

/** Asks the seller again, with what it is to change; undefined where it does not answer. */
export type AskAgain = (items: readonly RefinementItem[]) => Promise<Found | undefined>;

export interface Assessor {
  assess(found: Found, askAgain: AskAgain): Promise<Found>;
}

/** Products looked at before everybody else has a turn. */
const SLICE = 25;
/** Products of one answer whose seller is told what they miss. */
const REFINED_MAX = 20;
const ASK_MAX = 2_000;

interface Terms {
  readonly stage: Stage;
  readonly sentences: readonly Sentence[];
  readonly rounds: number;
  readonly currency: string;
  readonly show: (product: Product, verdict: Verdict | undefined) => Product;
  readonly order: ((groups: readonly Group[]) => Group[]) | undefined;
  /** Passes that are left for the sellers to come. */
  passes: number;
}

/** What holds the answers of one round of a session against its instructions; undefined where it has none. */
export function assessorFor(request: KeptOpening): Assessor | undefined {
  const stages = [screeningTerms(request), evaluationTerms(request)].filter((terms) => terms !== undefined);
  if (stages.length === 0) return undefined;
  return {
    assess: async (found, askAgain) => {
      let current = found;
      for (const terms of stages) current = await runStage(terms, current, askAgain);
      return current;
    },
  };
}

function screeningTerms({ screening, currency }: KeptOpening): Terms | undefined {
  if (screening === undefined) return undefined;
  return {
    stage: 'screening',
    sentences: readInstructions(screening.instructions, currency),
    rounds: screening.max_refinement_rounds,
    passes: screening.max_screening_passes,
    currency,
    order: undefined,
    show: (product, verdict) => ({ ...product, screening: { decision: 'accept', ...shownOf(verdict) } }),
  };
}

function evaluationTerms({ evaluation, currency, budgetMinor }: KeptOpening): Terms | undefined {
  if (evaluation === undefined) return undefined;
  const { instructions, enrichment, ranking } = evaluation;
  const budget = budgetMinor === undefined ? undefined : toMajor(budgetMinor, currency);
  const wishes = readInstructions(ranking?.instructions ?? instructions, currency);
  return {
    stage: 'evaluation',
    sentences: readInstructions(instructions, currency),
    rounds: evaluation.max_refinement_rounds,
    passes: evaluation.max_evaluation_passes,
    currency,
    order: ranking === undefined ? undefined : (groups) => ranked(groups, wishes, currency),
    show: (product, verdict) => ({
      ...product,
      evaluation: {
        disposition: 'accept',
        ...shownOf(verdict),
        ...(enrichment && verdict !== undefined
          ? { enrichment: enrichmentOf(product, verdict, { currency, budget }) }
          : {}),
      },
    }),
  };
}

function shownOf(verdict: Verdict | undefined) {
  if (verdict === undefined) return { evaluated: false, confidence: 0, reasons: [] };
  const { quality, confidence, reasons } = verdict;
  return {
    evaluated: true,
    ...(quality === undefined ? {} : { quality_score: quality }),
    confidence,
    reasons: [...reasons],
  };
}

async function runStage(terms: Terms, found: Found, askAgain: AskAgain): Promise<Found> {
  const isRead = terms.sentences.some(({ rules }) => rules.length > 0);
  if (found.read.products === 0) return found;
  if (!isRead || terms.passes === 0) return passedBy(terms, found);
  const { verdicts, answer, passes, rounds } = await judged(terms, found, askAgain);
  const isKept = (product: Product) => verdicts.get(product)?.decision === 'accept';
  const groups = answer.read.groups
    .map((group) => ({ ...group, products: group.products.filter(isKept).map(shown) }))
    .filter(({ products }) => products.length > 0);
  const accepted = groups.reduce((sum, { products }) => sum + products.length, 0);
  const limit = [...verdicts.values()].filter(({ decision }) => decision === 'refine').length;
  return withStage(answer, {
    terms,
    groups: terms.order?.(groups) ?? groups,
    tally: {
      passes,
      evaluated: verdicts.size,
      accepted,
      rejected: verdicts.size - accepted,
      limitReached: rounds > 0 ? limit : 0,
      ranked: terms.order === undefined ? 0 : accepted,
    },
  });

  function shown(product: Product): Product {
    return terms.show(product, verdicts.get(product));
  }
}

interface Judged {
  readonly answer: Found;
  readonly verdicts: ReadonlyMap<Product, Verdict>;
  readonly passes: number;
  /** How often the seller was asked again. */
  readonly rounds: number;
}

/** The verdicts on an answer, once its seller has been told what its products miss, as often as is allowed. */
async function judged(terms: Terms, found: Found, askAgain: AskAgain): Promise<Judged> {
  let answer = found;
  for (let round = 0, passes = 1; ; round += 1, passes += 1) {
    terms.passes -= 1;
    const verdicts = await verdictsOn(terms, answer);
    const lacking = [...verdicts].filter(([, { decision }]) => decision === 'refine');
    const isOver = lacking.length === 0 || round >= terms.rounds || terms.passes <= 0;
    const again = isOver ? undefined : await askAgain(lacking.slice(0, REFINED_MAX).map(asItem));
    if (again === undefined) return { answer, verdicts, passes, rounds: round };
    answer = together(answer, again);
  }
}

async function verdictsOn({ sentences, currency }: Terms, { read }: Found): Promise<Map<Product, Verdict>> {
  const verdicts = new Map<Product, Verdict>();
  for (const product of read.groups.flatMap(({ products }) => products)) {
    if (verdicts.size > 0 && verdicts.size % SLICE === 0) await turn();
    verdicts.set(product, verdictOn(product, sentences, currency));
  }
  return verdicts;
}

function asItem([{ productId }, { missed }]: readonly [Product, Verdict]): RefinementItem {
  return { scope: 'product', id: productId, action: 'include', ask: boundedText(missed.join(' '), ASK_MAX) };
}

/** What a seller brings when it is asked again takes the place of the same products; the others stay. */
function together(before: Found, again: Found): Found {
  const fresh = new Set(
    again.read.groups.flatMap(({ products }) => products.map(({ productId }) => productId)),
  );
  const groups = new Map(again.read.groups.map((group) => [group.groupId, group]));
  for (const group of before.read.groups) {
    const stay = group.products.filter(({ productId }) => !fresh.has(productId));
    const own = groups.get(group.groupId)?.products ?? [];
    if (stay.length + own.length > 0) groups.set(group.groupId, { ...group, products: [...own, ...stay] });
  }
  const all = [...groups.values()];
  const products = all.reduce((sum, group) => sum + group.products.length, 0);
  return { ...before, read: { ...before.read, groups: all, products } };
}

interface StageEnd {
  readonly terms: Terms;
  readonly groups: readonly Group[];
  readonly tally: AssessmentTally;
}

function withStage(found: Found, { terms: { stage }, groups, tally }: StageEnd): Found {
  const products = groups.reduce((sum, group) => sum + group.products.length, 0);
  const hidden = tally.rejected === 0 ? found.read.hidden : { ...found.read.hidden, [stage]: tally.rejected };
  const told: AgentTold = {
    ...found.told,
    assessment: { ...found.told?.assessment, [stage]: tally },
  };
  const proposals = found.proposals?.filter((one) => isWhole(one, groups));
  return {
    ...found,
    told,
    ...(proposals === undefined ? {} : { proposals }),
    read: { ...found.read, groups, products, hidden },
  };
}

/** Whether all products of a plan are still there. */
function isWhole({ allocations }: Proposal, groups: readonly Group[]): boolean {
  return allocations.every(({ productId }) =>
    groups.some(({ products }) => products.some((one) => one.productId === productId)),
  );
}

/** Products that nobody looked at are shown as they are, and said to be so. */
function passedBy(terms: Terms, found: Found): Found {
  const groups = found.read.groups.map((group) => ({
    ...group,
    products: group.products.map((product) => terms.show(product, undefined)),
  }));
  const nothing = { passes: 0, evaluated: 0, accepted: 0, rejected: 0, limitReached: 0, ranked: 0 };
  return withStage(found, { terms, groups, tally: { ...nothing, passedBy: found.read.products } });
}
