import { findOwnStorefront, type StorefrontRow } from '../../../store/storefronts.ts';
import type { Context } from '../../core/context.ts';
import { notFound } from '../../core/errors.ts';

/** The storefront of the selling account that calls. */
export async function ownStorefront(ctx: Context): Promise<StorefrontRow> {
  const row = await findOwnStorefront(ctx.db, ctx.scope);
  if (row === undefined) throw notFound('storefront', 'Make it with storefront_record_create.');
  return row;
}
