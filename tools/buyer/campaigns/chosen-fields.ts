import { onlyFields } from '../../domain/chosen-fields.ts';

/** A campaign with no more than the fields that were asked for; its id is always there. */
export function chosenOfCampaign<T extends { readonly campaignId: string }>(
  record: T,
  fields: readonly string[] | undefined,
): Partial<T> & { campaignId: string } {
  return { ...onlyFields(record, fields), campaignId: record.campaignId };
}
