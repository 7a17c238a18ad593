import type { Person } from '../callers/people.ts';
import type { FarSeller } from './far-seller.ts';
import { done } from './market.ts';

export interface AccountGiven {
  readonly storefrontId: string;
  readonly sourceId: string;
  readonly accountId: string;
}

/** Makes the fields that name an account at one seller, whose source is looked up as a buyer does. */
export async function accountsAt(
  buyer: Person,
  { storefrontId }: Pick<FarSeller, 'storefrontId'>,
): Promise<(accountId: string) => AccountGiven> {
  const { sources } = done(await buyer.get(`/buyer/storefronts/${storefrontId}`));
  const { sourceId } = sources[0];
  return (accountId) => ({ storefrontId, sourceId, accountId });
}
