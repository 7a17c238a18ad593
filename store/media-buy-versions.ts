import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';
import type { MediaBuyTable } from './media-buys.ts';

/** A version of a media buy that holds no more; the one that holds is the buy itself. */
export interface MediaBuyVersionTable
  extends Pick<
    MediaBuyTable,
    | 'name'
    | 'status'
    | 'start_time'
    | 'end_time'
    | 'budget_minor'
    | 'products'
    | 'packages'
    | 'valid_from'
    | 'updated_by'
    | 'updated_reason'
    | 'suggestion_id'
    | 'revision'
  > {
  media_buy_id: string;
  organization_id: number;
  valid_to: string;
}

export type MediaBuyVersionRow = Selectable<MediaBuyVersionTable>;

declare module './engine/database.ts' {
  interface Database {
    media_buy_versions: MediaBuyVersionTable;
  }
}

export async function insertMediaBuyVersion(
  db: Db,
  tenant: Tenant,
  version: Omit<MediaBuyVersionRow, 'organization_id'>,
): Promise<void> {
  await db.insertInto('media_buy_versions').values(ofOrganization(tenant, version)).execute();
}

/** Forgets the oldest versions of a buy beyond so many: of all, or of those that one writer made. */
export async function pruneMediaBuyVersions(
  db: Db,
  tenant: Tenant,
  { mediaBuyId, updatedBy, keep }: { mediaBuyId: string; updatedBy?: string; keep: number },
): Promise<void> {
  const first = await db
    .selectFrom('media_buy_versions')
    .select('revision')
    .$call(inOrganization(tenant))
    .where('media_buy_id', '=', mediaBuyId)
    .$if(updatedBy !== undefined, (query) => query.where('updated_by', '=', updatedBy ?? ''))
    .orderBy('revision', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return;
  await db
    .deleteFrom('media_buy_versions')
    .$call(inOrganization(tenant))
    .where('media_buy_id', '=', mediaBuyId)
    .$if(updatedBy !== undefined, (query) => query.where('updated_by', '=', updatedBy ?? ''))
    .where('revision', '<=', first.revision)
    .execute();
}

/** The earlier versions of a buy, the latest first, so many at the most. */
export function listMediaBuyVersions(
  db: Db,
  tenant: Tenant,
  { mediaBuyId, limit }: { mediaBuyId: string; limit: number },
): Promise<MediaBuyVersionRow[]> {
  return db
    .selectFrom('media_buy_versions')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('media_buy_id', '=', mediaBuyId)
    .orderBy('revision', 'desc')
    .limit(limit)
    .execute();
}
