import { AppError, type ErrorFacts } from './app-error.ts';
import { ISSUES_MAX } from './few-issues.ts';
import { namesApart } from './names-apart.ts';

/** Refusals of what an account cannot pay for, beside those of `refusals.ts`. */

/** A sales agent that no pricing rule is about, and the media buy at it, where there is one already. */
export interface Unpriced {
  readonly agentId: string;
  readonly agentName: string;
  /** The storefront that sells what it offers, where that is known. */
  readonly storefrontName?: string | undefined;
  readonly mediaBuyId?: string | undefined;
}

/** The sales agents that the advertiser has no pricing rule for, by name, and the media buys at them. */
export function pricingNotConfigured(unpriced: readonly Unpriced[]): AppError {
  const agents = namesApart(
    unpriced.map(({ agentId: id, agentName: name, storefrontName: beside }) => ({ id, name, beside })),
  );
  const names = [...agents.values()];
  const more = names.length - ISSUES_MAX;
  const told = names.slice(0, ISSUES_MAX).join(', ');
  const named = more > 0 ? `${told} and ${more} more` : told;
  const unpricedBuyIds = unpriced.flatMap(({ mediaBuyId }) => mediaBuyId ?? []);
  return new AppError('PRICING_NOT_CONFIGURED', `The advertiser has no pricing rule for ${named}.`, {
    details: {
      salesAgentIds: [...agents.keys()],
      ...(unpricedBuyIds.length === 0 ? {} : { unpricedBuyIds }),
    },
    suggestion:
      'Buy from other sellers, or ask the operator of this service for a rule: npm run rialto -- pricing set.',
  });
}

export function creditLimitExceeded(message: string, details: Readonly<Record<string, unknown>>): AppError {
  return new AppError('CREDIT_LIMIT_EXCEEDED', message, {
    details,
    suggestion:
      'Spend less, cancel what no longer has to run, use an advertiser with sandbox true, or ask the operator of ' +
      'this service for credit or funds: npm run rialto -- credit set, or credit fund.',
  });
}

export function currencyMismatch(
  field: string,
  message: string,
  facts: Omit<ErrorFacts, 'status'> = {},
): AppError {
  return new AppError('CURRENCY_MISMATCH', message, { field, ...facts });
}

/** A budget that its media buys do not fit into: the total, where no other field is named. */
export function insufficientMediaBudget(
  message: string,
  details: Readonly<Record<string, unknown>>,
  facts: Pick<ErrorFacts, 'field' | 'suggestion'> = {},
): AppError {
  return new AppError('INSUFFICIENT_MEDIA_BUDGET', message, { field: 'budget.total', details, ...facts });
}
