import { AppError } from './app-error.ts';

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
