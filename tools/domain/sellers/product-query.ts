import type { RefinementItem } from '../../../store/discovery-sessions.ts';
import type { Asked } from '../discovery-opening.ts';
import type { LeftOutByTerms } from '../sale-terms.ts';
import type { BuyingParty } from './port.ts';

/** What sellers are asked for, and what they answer with. */

export interface ProductQuery extends Asked {
  readonly party: BuyingParty;
  /** What there is to spend, at the least and at the most. */
  readonly budget?: {
    readonly min?: number | undefined;
    readonly max?: number | undefined;
    readonly currency: string;
  };
  /** How long the buyer waits, in seconds: passed on, so that a seller can answer with what it has. */
  readonly timeBudgetSeconds: number;
  /** What the seller is to change of its answer before; the brief is not asked again then. */
  readonly refine?: readonly RefinementItem[] | undefined;
  /**
   * What the brief and the changes turn down, for sellers that go by words: the stems of each. A product that has all
   * of one is not wanted.
   */
  readonly turnedDown?: readonly (readonly string[])[];
  /** Hears what crosses the wire, where somebody is to look into it. */
  readonly trace?: ((told: Traced) => void) | undefined;
}

/** One message to a seller or from it, without credentials: how many products it has, and the whole beside it. */
export interface Traced {
  readonly type: 'request' | 'response';
  readonly message: string;
  readonly request?: object;
  readonly response?: object;
  /** The whole answer as it came, without the credential it was asked with. */
  readonly raw?: unknown;
}

/** The products as a seller sent them, as many as are taken. */
export interface OfferedProducts extends ReadonlyArray<unknown> {
  /** Those beyond: counted, not read. */
  readonly leftOut?: number;
  /** How many of its products the seller itself left out, by what was asked for. */
  readonly hidden?: Readonly<Partial<Record<LeftOut, number>>>;
  /** False where the seller says that nothing it has fits the brief, and sends what it has all the same. */
  readonly briefMatched?: boolean;
  /** What it says beside them, as it came: data from outside, still to be read. */
  readonly said?: AnswerSaid;
}

/** What an answer may hold beside its products (AdCP, get_products). */
export interface AnswerSaid {
  readonly proposals?: unknown;
  readonly refinement_applied?: unknown;
  readonly incomplete?: unknown;
  readonly cache_scope?: unknown;
}

/** What leaves products out of an answer. */
export type LeftOut =
  | 'channels'
  | 'countries'
  | 'publisherDomain'
  | 'pricingModel'
  | LeftOutByTerms
  | 'screening'
  | 'evaluation';
