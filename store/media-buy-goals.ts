/** Figures that sellers measure themselves (AdCP, core/optimization-goal). */
export const goalMetrics = [
  'clicks',
  'views',
  'completed_views',
  'viewed_seconds',
  'attention_seconds',
  'attention_score',
  'engagements',
  'follows',
  'saves',
  'profile_visits',
  'reach',
] as const;

export type GoalMetric = (typeof goalMetrics)[number];

/** What the seller of a buy is to optimize for, in the words of AdCP. */
export type BuyGoal = MeasuredGoal | VendorGoal;

interface GoalTerms {
  readonly target?: { readonly kind: 'cost_per' | 'threshold_rate'; readonly value: number } | undefined;
  readonly priority?: number | undefined;
}

/** A figure that the seller measures itself. */
export interface MeasuredGoal extends GoalTerms {
  readonly kind: 'metric';
  readonly metric: GoalMetric;
  readonly reach_unit?: string | undefined;
  readonly target_frequency?:
    | {
        readonly min?: number | undefined;
        readonly max?: number | undefined;
        readonly window: { readonly interval: number; readonly unit: string };
      }
    | undefined;
  readonly view_duration_seconds?: number | undefined;
}

/** A figure that somebody else measures. Of the vendor, its domain and brand say who it is. */
export interface VendorGoal extends GoalTerms {
  readonly kind: 'vendor_metric';
  readonly vendor: {
    readonly domain: string;
    readonly brand_id?: string | undefined;
    readonly [field: string]: unknown;
  };
  readonly metric_id: string;
}
