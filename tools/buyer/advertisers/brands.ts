import { listAdvertiserAccounts } from '../../../store/advertiser-accounts.ts';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { countBrands, insertBrand } from '../../../store/brands.ts';
import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { lockOrganization } from '../../../store/organizations.ts';
import type { Context } from '../../core/context.ts';
import { contradicts } from '../../core/errors/refusals.ts';
import { shownAccounts } from '../../domain/advertisers/linked-accounts.ts';
import { resolveBrand, resolveBrands } from '../../domain/brands/resolving.ts';
import { requireRoom } from '../../domain/quota-room.ts';
import { livingOf } from './living-campaigns.ts';
import { brandedAdvertiserRecord, brandFields, type ShownAdvertiser } from './record.ts';

interface Wanted {
  /** Its domain. */
  readonly brand: string;
  readonly saveBrand?: boolean | undefined;
  /** What a brand is called of which nothing else is known. */
  readonly name: string;
}

type Save = (tx: Db) => Promise<void>;

/**
 * Holds the brand of an advertiser against those that are known: what has to be saved of it, undefined where
 * nothing is. One that nobody knows is refused until the caller says that it is to be registered.
 */
export async function brandToSave(
  ctx: Context,
  { brand: domain, saveBrand, name }: Wanted,
): Promise<Save | undefined> {
  const found = await resolveBrand(ctx.db, ctx.scope, domain);
  if (found.kind === 'registered') return undefined;
  if (saveBrand !== true) {
    if (found.kind === 'enriched') return undefined;
    throw contradicts('brand', `No brand is known at ${domain}.`, {
      suggestion:
        `Repeat with saveBrand true if ${domain} is the brand's domain: it is then registered for your ` +
        'organization. brand_resolve tells what is known of a domain.',
    });
  }
  const manifest = found.kind === 'enriched' ? found.brand.manifest : { name, url: `https://${domain}/` };
  return async (tx) => {
    await roomForBrand(ctx, tx);
    await insertBrand(tx, ctx.scope, {
      id: ctx.newId('brand'),
      domain,
      manifest: toJson(manifest),
      created_at: ctx.now,
    });
  };
}

async function roomForBrand(ctx: Context, tx: Db): Promise<void> {
  const { brandsPerOrganization: most } = ctx.services.limits.quotas;
  await lockOrganization(tx, ctx.scope);
  const there = await countBrands(tx, ctx.scope);
  const instead =
    'Leave saveBrand out for a brand that is known, or ask the operator of this service for more.';
  requireRoom({ owner: 'organization', what: 'registered brand', there, most, instead });
}

/** An advertiser as it is shown, with what is known of its brand and its accounts at sellers. */
export async function advertiserRecord(ctx: Context, row: AdvertiserRow): Promise<ShownAdvertiser> {
  const accounts = row.linked_accounts === 0 ? [] : await listAdvertiserAccounts(ctx.db, ctx.scope, row.id);
  const found = await resolveBrand(ctx.db, ctx.scope, row.brand);
  const shown = brandedAdvertiserRecord(row, found, ctx.services.brand);
  const { warnings } = await livingOf(ctx, row);
  return { ...shown, linkedAccounts: shownAccounts(accounts), warnings };
}

/** What is known of the brands of a page of advertisers. */
export async function brandsOf(ctx: Context, rows: readonly AdvertiserRow[]) {
  const found = await resolveBrands(
    ctx.db,
    ctx.scope,
    rows.map(({ brand }) => brand),
  );
  return (row: AdvertiserRow) => brandFields(row, found(row.brand));
}
