import { expect } from 'vitest';
import type { ErrorCode } from '../../../tools/core/errors/catalogue.ts';
import type { Bought, MoneyWorld } from './money-world.ts';

/** What a refusal of money, or of what a seller cannot do, has to carry. */

export type Fields = Readonly<Record<string, unknown>>;

export const STATUSES = {
  CREDIT_LIMIT_EXCEEDED: 402,
  PRICING_NOT_CONFIGURED: 409,
  INSUFFICIENT_MEDIA_BUDGET: 409,
  CAPABILITY_NOT_SUPPORTED: 422,
  VERSION_UNSUPPORTED: 422,
} as const satisfies Partial<Record<ErrorCode, number>>;
export type Code = keyof typeof STATUSES;

/** A call that is to be refused, and all that its refusal carries beside what to do next. */
export interface Arranged {
  readonly args: Fields;
  readonly details: Fields;
  /** The one field that is wrong, where there is one. */
  readonly field?: string;
  /** Who calls, where it is not the buyer. */
  readonly key?: string;
}

type Arrange = (world: MoneyWorld) => Promise<Arranged>;
export type Refused = readonly [tool: string, code: Code, when: string, arrange: Arrange];

/** Of a sum that is too large all seven details: of the 60 paid in and a credit. */
export const beyond = ({
  asked,
  committed = 0,
  credit = 50,
}: {
  asked: number;
  committed?: number;
  credit?: number;
}) => ({
  availableMinor: String((60 + credit - committed) * 100),
  committedMinor: String(committed * 100),
  fundedMinor: '6000',
  creditLimitMinor: String(credit * 100),
  newCommitmentMinor: String(asked * 100),
  exceededByMinor: String((asked + committed - 60 - credit) * 100),
  currency: 'USD',
});

export const sums = (requestedTotal: number, committedAllocation: number, more: Fields = {}): Fields => ({
  requestedTotal,
  committedAllocation,
  currency: 'USD',
  ...more,
});
export const least = (requestedTotal: number, takes: number) =>
  sums(requestedTotal, takes, { minimumAllowedBudget: takes });

/** 100 in four days, where a day may take 20; the clock runs on while it is asked. */
export const TOO_FAST = {
  field: 'budget.dailyCap',
  details: sums(1_000, 100, { dailyCap: 20, perDay: expect.closeTo(25, 0) }),
};

/** The buys that nobody knows the fee of, and who sells them. */
export const unpriced = ({ far }: MoneyWorld, ...unpricedBuyIds: string[]): Fields => ({
  salesAgentIds: [far.agentId],
  ...(unpricedBuyIds.length === 0 ? {} : { unpricedBuyIds }),
});

export const undeclared = ({ far }: MoneyWorld, ids: Fields, [field, reason]: readonly [string, string]) => ({
  unsupported: [{ ...ids, salesAgentId: far.agentId, field, reason }],
});
export const changes = (name: string) => `The seller declares no “${name}” for changes of a media buy.`;
export const elsewhere = ({ far }: MoneyWorld, { mediaBuyId }: Bought): Fields => ({
  unsupported: [{ mediaBuyId, salesAgentId: far.agentId }],
});

/** The seller declares that it changes names, and nothing else. */
export const declaresNothing = ({ far }: MoneyWorld) =>
  far.agent.declares('update_media_buy', { media_buy_id: {} });
export const declaresNoRegions = ({ far }: MoneyWorld) =>
  far.agent.on('get_adcp_capabilities', () => ({
    adcp: { major_versions: [3] },
    media_buy: { execution: { targeting: { geo_regions: false } } },
  }));
export const speaksAnother = ({ far }: MoneyWorld) =>
  far.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
export const REGIONS = { geo_regions: ['US-CA'] };
export const NO_REGIONS = 'The seller declares no targeting by geo_regions.';
