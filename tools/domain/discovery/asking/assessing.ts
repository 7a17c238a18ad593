import type { AgentTold, AssessmentTally, RefinementItem } from '../../../../store/discovery-sessions.ts';
import { turn } from '../../../core/event-loop-turn.ts';
import type { KeptOpening } from '../../discovery-opening.ts';
import { boundedText } from '../../text.ts';
import type { Product } from '../schema.ts';
import type { Outcome } from './collect.ts';
import type { Proposal } from './proposals.ts';
import type { Group } from './seller-products.ts';
import { type Stage, stagesOf, type Terms } from './stages.ts';
import { type Verdict, verdictOn } from './verdicts.ts';

/** Answers of sellers held against the instructions of a session: what they reject is not shown. */

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

/** What holds the answers of one round of a session against its instructions; undefined where it has none. */
export function assessorFor(request: KeptOpening): Assessor | undefined {
  const stages = stagesOf(request);
  if (stages.length === 0) return undefined;
  return {
    assess: async (found, askAgain) => {
      let current = found;
      let gate = OPEN;
      for (const terms of stages) {
        const { answer, verdicts } = await runStage(terms, current, { askAgain, gate });
        current = gate.counted(answer);
        gate = gateOf(terms, verdicts);
      }
      return current;
    },
  };
}

/** What the stage before says of whatever a seller brings later: what it rejects comes back by no other way. */
interface Gate {
  hold(found: Found): Promise<Found>;
  /** The answer with what the stage before has rejected by now. */
  counted(found: Found): Found;
}

const OPEN: Gate = { hold: (found) => Promise.resolve(found), counted: (found) => found };

type Verdicts = ReadonlyMap<Product, Verdict>;

/** Where a stage judged nothing, whatever comes later is shown as not looked at either. */
function gateOf(terms: Terms, verdicts: Verdicts | undefined): Gate {
  if (verdicts === undefined) {
    return {
      ...OPEN,
      hold: (found) => Promise.resolve(withProducts(found, (one) => [terms.show(one, undefined)])),
    };
  }
  let isHeld = false;
  const decided = new Map([...verdicts].map(([{ productId }, { decision }]) => [productId, decision]));
  return {
    hold: async (found) => {
      isHeld = true;
      const later = await verdictsOn(terms, found);
      for (const [{ productId }, { decision }] of later) decided.set(productId, decision);
      return withProducts(found, (one) => {
        const verdict = later.get(one);
        return verdict?.decision === 'accept' ? [terms.show(one, verdict)] : [];
      });
    },
    counted: (found) => {
      const tally = found.told?.assessment?.[terms.stage];
      if (tally === undefined || !isHeld) return found;
      const accepted = [...decided.values()].filter((decision) => decision === 'accept').length;
      const rejected = decided.size - accepted;
      return counting(found, terms.stage, { ...tally, evaluated: decided.size, accepted, rejected });
    },
  };
}

function withProducts(found: Found, shown: (product: Product) => readonly Product[]): Found {
  const groups = found.read.groups
    .map((group) => ({ ...group, products: group.products.flatMap(shown) }))
    .filter(({ products }) => products.length > 0);
  return { ...found, read: { ...found.read, groups, products: countIn(groups) } };
}

function countIn(groups: readonly Group[]): number {
  return groups.reduce((sum, { products }) => sum + products.length, 0);
}

interface Asking {
  readonly askAgain: AskAgain;
  readonly gate: Gate;
}

/** A stage's answer, and its verdicts where it looked at anything. */
interface Staged {
  readonly answer: Found;
  readonly verdicts?: Verdicts;
}

async function runStage(terms: Terms, found: Found, asking: Asking): Promise<Staged> {
  const isRead = terms.sentences.some(({ rules }) => rules.length > 0);
  if (found.read.products === 0) return { answer: found };
  if (!isRead || terms.passes === 0) return { answer: passedBy(terms, found) };
  const { verdicts, answer, passes, rounds } = await judged(terms, found, asking);
  const { groups, products: accepted } = withProducts(answer, shown).read;
  const limit = [...verdicts.values()].filter(({ decision }) => decision === 'refine').length;
  const staged = withStage(answer, {
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
  return { answer: staged, verdicts };

  function shown(product: Product): readonly Product[] {
    const verdict = verdicts.get(product);
    return verdict?.decision === 'accept' ? [terms.show(product, verdict)] : [];
  }
}

interface Judged {
  readonly answer: Found;
  readonly verdicts: Verdicts;
  readonly passes: number;
  /** How often the seller was asked again. */
  readonly rounds: number;
}

/** The verdicts on an answer, once its seller has been told what its products miss, as often as is allowed. */
async function judged(terms: Terms, found: Found, { askAgain, gate }: Asking): Promise<Judged> {
  let answer = found;
  for (let round = 0, passes = 1; ; round += 1, passes += 1) {
    terms.passes -= 1;
    const verdicts = await verdictsOn(terms, answer);
    const lacking = [...verdicts].filter(([, { decision }]) => decision === 'refine');
    const isOver = lacking.length === 0 || round >= terms.rounds || terms.passes <= 0;
    const again = isOver ? undefined : await askAgain(lacking.slice(0, REFINED_MAX).map(asItem));
    if (again === undefined) return { answer, verdicts, passes, rounds: round };
    answer = await gate.hold(together(answer, again));
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
  return { ...before, read: { ...before.read, groups: all, products: countIn(all) } };
}

interface StageEnd {
  readonly terms: Terms;
  readonly groups: readonly Group[];
  readonly tally: AssessmentTally;
}

function withStage(found: Found, { terms: { stage }, groups, tally }: StageEnd): Found {
  const proposals = found.proposals?.filter((one) => isWhole(one, groups));
  const answer = {
    ...found,
    ...(proposals === undefined ? {} : { proposals }),
    read: { ...found.read, groups, products: countIn(groups) },
  };
  return counting(answer, stage, tally);
}

function counting(found: Found, stage: Stage, tally: AssessmentTally): Found {
  const hidden = tally.rejected === 0 ? found.read.hidden : { ...found.read.hidden, [stage]: tally.rejected };
  const told: AgentTold = { ...found.told, assessment: { ...found.told?.assessment, [stage]: tally } };
  return { ...found, told, read: { ...found.read, hidden } };
}

/** Whether all products of a plan are still there. */
function isWhole({ allocations }: Proposal, groups: readonly Group[]): boolean {
  return allocations.every(({ productId }) =>
    groups.some(({ products }) => products.some((one) => one.productId === productId)),
  );
}

/** Products that nobody looked at are shown as they are, and said to be so. */
function passedBy(terms: Terms, found: Found): Found {
  const { groups } = withProducts(found, (product) => [terms.show(product, undefined)]).read;
  const nothing = { passes: 0, evaluated: 0, accepted: 0, rejected: 0, limitReached: 0, ranked: 0 };
  return withStage(found, { terms, groups, tally: { ...nothing, passedBy: found.read.products } });
}
