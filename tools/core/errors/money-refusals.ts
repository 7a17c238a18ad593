import { AppError, type ErrorFacts } from './app-error.ts';

/** Refusals of what an account cannot pay for, beside those of `refusals.ts`. */

/** The sales agents that the advertiser has no pricing rule for, by name. */
export function pricingNotConfigured(
  agentNames: readonly string[],
  details: Readonly<Record<string, unknown>>,
): AppError {
  const names = [...new Set(agentNames)].slice(0, 20).join(', ');
  return new AppError('PRICING_NOT_CONFIGURED', `The advertiser has no pricing rule for ${names}.`, {
    details,
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
