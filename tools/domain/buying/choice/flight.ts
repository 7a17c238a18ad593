import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { conflict, invalid } from '../../../core/errors/refusals.ts';
import { lastMoment } from './order-lines.ts';

/** A flight that is over before it is bought is a slip of the pen. */
export function requireAhead(field: string, flight: { readonly endDate: string }, now: string): void {
  const [past] = pastProblems(field, flight, now);
  if (past !== undefined) throw past;
}

/** The same as a refusal that is told with others. */
export function pastProblems(
  field: string,
  { endDate }: { readonly endDate: string },
  now: string,
): AppError[] {
  if (endDate > now) return [];
  return [invalid(field, 'The flight is over already.', { suggestion: `Give a moment after ${now}.` })];
}

/** Nothing new is ordered for days that are past. */
export function requireOpenFlight(campaign: CampaignRow, now: string): void {
  const over = flightOver(campaign, now);
  if (over !== undefined) throw over;
}

/** The same as a refusal that may only be told. */
export function flightOver(campaign: CampaignRow, now: string): AppError | undefined {
  if (lastMoment(campaign) > now) return undefined;
  return conflict(
    'The flight of this campaign is over.',
    'Give it later flight dates with campaign_update while it is a draft, or create another with campaign_create.',
  );
}
