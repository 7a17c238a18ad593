import { z } from 'zod';

/** The fields of a record that an answer is to have; its id is always there. */
export function fieldsOf<T extends z.ZodObject>(record: T) {
  return z
    .array(record.keyof())
    .max(Object.keys(record.shape).length)
    .optional()
    .describe('Only these fields; all when left out.');
}

/** A record with no more than the fields that were asked for. */
export function onlyFields<T extends { readonly campaignId: string }>(
  record: T,
  wanted: readonly string[] = [],
): Partial<T> & { campaignId: string } {
  if (wanted.length === 0) return record;
  const kept: Partial<T> = {};
  for (const name in record) if (wanted.includes(name)) kept[name] = record[name];
  return { ...kept, campaignId: record.campaignId };
}
