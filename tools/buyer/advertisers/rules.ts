import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { contradicts } from '../../core/errors/refusals.ts';

/** The currency of an advertiser stays from its first campaign on. */
export function currencyChangeRefusal(advertiser: AdvertiserRow, wanted: string): AppError | undefined {
  if (wanted === advertiser.primary_currency || advertiser.currency_locked === 0) return undefined;
  return contradicts(
    'primaryCurrency',
    `The currency is ${advertiser.primary_currency} since the first campaign and cannot change.`,
    { suggestion: 'Create another advertiser for another currency with advertiser_create.' },
  );
}
