import { z } from 'zod';
import type { BrowserOriginRow } from '../../../store/browser-origins.ts';
import { outputId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

/** A page of the organization's own (contract: BrowserOrigin). */
export const browserOrigin = z
  .object({
    id: z.string().describe('Id of the origin, a decimal string.'),
    customerId: outputId('The organization whose it is.'),
    origin: z.string().describe('The origin, as browsers write it.'),
    label: z.string().nullable().describe('What it is for.'),
    createdByUserId: outputId('Who added it.').nullable().describe('Null: nobody who is known.'),
    createdAt: timestamp.describe('When it was added.'),
    updatedAt: timestamp.describe('When it was last changed.'),
  })
  .meta({ id: 'BrowserOrigin' });

export function browserOriginRecord(row: BrowserOriginRow): z.input<typeof browserOrigin> {
  return {
    id: String(row.id),
    customerId: row.organization_id,
    origin: row.origin,
    label: row.label,
    createdByUserId: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
