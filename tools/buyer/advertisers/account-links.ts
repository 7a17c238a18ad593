import { z } from 'zod';
import type { AdvertiserAccountRow } from '../../../store/advertiser-accounts.ts';
import { shownAccount, shownLinkedAccount } from '../../domain/advertisers/linked-accounts.ts';

/** A link by itself (contract: AccountSummary). */
export const accountLink = shownLinkedAccount
  .extend({ advertiserId: z.string().describe('The advertiser whose account it is.') })
  .meta({ id: 'AccountLink' });

export function accountLinkRecord(row: AdvertiserAccountRow): z.input<typeof accountLink> {
  return { ...shownAccount(row), advertiserId: String(row.advertiser_id) };
}
