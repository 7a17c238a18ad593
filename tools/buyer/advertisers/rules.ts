import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { contradicts } from '../../core/errors/refusals.ts';

/** The currency of an advertiser stays from its first campaign on. */
export function currencyProblems(advertiser: AdvertiserRow, wanted: string | undefined): AppError[] {
  const { primary_currency: currency, currency_locked } = advertiser;
  if (wanted === undefined || wanted === currency || currency_locked === 0) return [];
  const message = `The currency is ${currency} since the first campaign and cannot change.`;
  const suggestion = 'Create another advertiser for another currency with advertiser_create.';
  return [contradicts('primaryCurrency', message, { suggestion })];
}
